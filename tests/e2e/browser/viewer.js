// Shows what a stream of whole frames looks like: decodes it with WebCodecs, answers a pixel.

import { Signalling, opened } from './signalling.js';

const FRAME_HEADER = 12;
const KEY_FRAME = 0x01;

async function middleOf(frame) {
  const canvas = new OffscreenCanvas(frame.displayWidth, frame.displayHeight);
  const context = canvas.getContext('2d');
  context.drawImage(frame, 0, 0);
  const [x, y] = [canvas.width >> 1, canvas.height >> 1];
  return [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
}

// Calls `onPicture(number, [red, green, blue], milliseconds)` for each picture.
export async function view(socket, stream, codec, onPicture) {
  await opened(socket);
  let pictures = 0;
  const decoder = new VideoDecoder({
    output: async (frame) => {
      const number = ++pictures;
      const pixel = await middleOf(frame);
      onPicture(number, pixel, frame.timestamp / 1000);
      frame.close();
    },
    error: (error) => console.log(`error ${error.message}`),
  });
  decoder.configure({ codec });
  const signalling = new Signalling(socket, (message) => {
    decoder.decode(
      new EncodedVideoChunk({
        type: message.getUint8(1) & KEY_FRAME ? 'key' : 'delta',
        timestamp: Number(message.getBigUint64(4)),
        data: new Uint8Array(message.buffer, FRAME_HEADER),
      }),
    );
  });
  await signalling.request('hello');
  await signalling.request('subscribe', { stream, leg: { websocket: { format: 'frame' } } });
}

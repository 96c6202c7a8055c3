// Says again what it hears: subscribes to one stream, and publishes its packets as another one.

import { Signalling, opened } from './signalling.js';

const SSRC = 0x70617272;

export async function parrot(socket, { heard, said, token }) {
  await opened(socket);
  let channel;
  const signalling = new Signalling(socket, (message) => {
    const packet = new Uint8Array(message.buffer, 4).slice();
    new DataView(packet.buffer).setUint32(8, SSRC);
    signalling.sendPacket(channel, packet);
  });
  await signalling.request('hello', { versions: [1], ...(token && { token }) });
  const tracks = [{ codec: 'opus/48000/2', payload_type: 111, ssrc: SSRC }];
  const leg = { websocket: {} };
  const published = await signalling.request('publish', { stream: said, tracks, leg });
  channel = published.tracks[0].channel;
  await signalling.request('subscribe', { stream: heard, leg });
}

// What is published: the fake camera of a browser, or a drawn picture; with its fake microphone.

// A tone would be noise to them.
const SOUND = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export function camera() {
  const video = { width: 1280, height: 720, frameRate: 30 };
  return navigator.mediaDevices.getUserMedia({ video, audio: SOUND });
}

export function microphone() {
  return navigator.mediaDevices.getUserMedia({ audio: SOUND });
}

// The same three fields as harness/colours.py has, and something above that moves.
export async function canvas() {
  const element = document.createElement('canvas');
  [element.width, element.height] = [640, 360];
  const context = element.getContext('2d');
  let step = 0;
  const draw = () => {
    context.fillStyle = 'white';
    context.fillRect(0, 0, 640, 180);
    context.fillStyle = 'black';
    context.fillRect((step++ * 8) % 640, 20, 60, 140);
    for (const [index, colour] of ['#f00', '#0f0', '#00f'].entries()) {
      context.fillStyle = colour;
      context.fillRect((index * 640) / 3, 180, 640 / 3, 180);
    }
  };
  draw();
  setInterval(draw, 33);
  const stream = element.captureStream(30);
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: SOUND });
  stream.addTrack(microphone.getAudioTracks()[0]);
  return stream;
}

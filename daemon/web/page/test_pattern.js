// A picture and a tone made here, so that a machine without camera can publish too.
//
// Each second the field at the lower left is red, green or blue in turn (COLOURS), and the tone of
// 440 Hz swells.

export const WIDTH = 1280;
export const HEIGHT = 720;
const FRAMES_PER_SECOND = 25;
const BARS = ['#e8eceb', '#e5c558', '#57c2bd', '#69b56b', '#b574b8', '#d2605a', '#4a6fc4'];
const COLOURS = ['#e00000', '#00c000', '#0000e0'];

function draw(context, name, ms) {
  const seconds = Math.floor(ms / 1000);
  const bar = WIDTH / BARS.length;
  BARS.forEach((colour, index) => {
    context.fillStyle = colour;
    context.fillRect(Math.floor(index * bar), 0, Math.ceil(bar), HEIGHT);
  });
  context.fillStyle = '#101718';
  context.fillRect(0, 500, WIDTH, 220);
  context.fillStyle = COLOURS[seconds % COLOURS.length];
  context.fillRect(40, 540, 240, 140);
  context.fillStyle = '#2a3739';
  context.fillRect(320, 655, 920, 8);
  context.fillStyle = '#63cfc6';
  context.fillRect(320, 655, (920 * (ms % 1000)) / 1000, 8);
  context.fillStyle = '#f2f6f6';
  context.textBaseline = 'alphabetic';
  context.font = '600 44px Inter, system-ui, sans-serif';
  context.textAlign = 'left';
  context.fillText(name, 320, 610, 520);
  context.font = '500 44px ui-monospace, monospace';
  context.textAlign = 'right';
  context.fillText(new Date(ms).toISOString().slice(11, 22), 1240, 610);
  drawHand(context, ms);
}

// A hand that turns once in four seconds shows every lost frame.
function drawHand(context, ms) {
  const angle = (ms / 4000) * 2 * Math.PI;
  context.lineCap = 'round';
  context.fillStyle = '#101718';
  context.beginPath();
  context.arc(WIDTH / 2, 250, 150, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = '#63cfc6';
  context.lineWidth = 14;
  context.beginPath();
  context.moveTo(WIDTH / 2, 250);
  context.lineTo(WIDTH / 2 + 115 * Math.sin(angle), 250 - 115 * Math.cos(angle));
  context.stroke();
}

// Browsers slow down the timers of hidden tabs, but not those of workers.
function pictures(name) {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d', { alpha: false });
  const ticker = new Worker(new URL('ticker.js', import.meta.url));
  ticker.onmessage = () => draw(context, name, Date.now());
  ticker.postMessage(1000 / FRAMES_PER_SECOND);
  const [track] = canvas.captureStream(FRAMES_PER_SECOND).getVideoTracks();
  return { track, stop: () => ticker.terminate() };
}

function tone() {
  const context = new AudioContext();
  const oscillator = new OscillatorNode(context, { frequency: 440 });
  const swell = new OscillatorNode(context, { frequency: 1 });
  const depth = new GainNode(context, { gain: 0.05 });
  const volume = new GainNode(context, { gain: 0.1 });
  const destination = new MediaStreamAudioDestinationNode(context);
  swell.connect(depth).connect(volume.gain);
  oscillator.connect(volume).connect(destination);
  oscillator.start();
  swell.start();
  return { track: destination.stream.getAudioTracks()[0], stop: () => context.close() };
}

// {media, stop}
export function testPattern(name) {
  const sources = [pictures(name), tone()];
  return {
    media: new MediaStream(sources.map(({ track }) => track)),
    stop: () => {
      for (const { track, stop } of sources) {
        track.stop();
        stop();
      }
    },
  };
}

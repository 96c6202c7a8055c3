// What a video element shows and what a stream sounds like.

// [red, green, blue] at each place, which is given as parts of width and height.
export function colours(video, places) {
  const { videoWidth: width, videoHeight: height } = video;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(video, 0, 0, width, height);
  return places.map(([x, y]) => [
    ...context.getImageData(x * width, y * height, 1, 1).data.slice(0, 3),
  ]);
}

function recorded(stream, milliseconds) {
  return new Promise((resolve) => {
    const recorder = new MediaRecorder(new MediaStream(stream.getAudioTracks()));
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => resolve(new Blob(pieces).arrayBuffer());
    recorder.start();
    setTimeout(() => recorder.stop(), milliseconds);
  });
}

// The peak of its spectrum near the end of a record, which needs no device that plays it.
export async function tone(stream) {
  const record = await recorded(stream, 800);
  const rate = 48000;
  const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(record);
  const context = new OfflineAudioContext(1, sound.length, rate);
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
  source.connect(analyser).connect(context.destination);
  source.start();
  await context.startRendering();
  const bins = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(bins);
  const peak = bins.indexOf(Math.max(...bins));
  return { hertz: (peak * rate) / analyser.fftSize, decibels: Math.max(-200, bins[peak]) };
}

const timesOf = new WeakMap();

// Remembers when each picture was shown.
export function watchFrames(video) {
  timesOf.set(video, []);
  const note = (now) => {
    timesOf.get(video).push(now);
    video.requestVideoFrameCallback(note);
  };
  video.requestVideoFrameCallback(note);
}

export function forgetFrames(video) {
  timesOf.set(video, timesOf.get(video).slice(-1));
}

// How many were shown, and the longest time in milliseconds between two of them, or since the last.
export function frames(video) {
  const times = timesOf.get(video);
  const gaps = times.map((time, index) => (times[index + 1] ?? performance.now()) - time);
  return { count: times.length, longestGap: Math.max(0, ...gaps) };
}

// Which tone a video element plays, by the peak of its spectrum.

export function toneOf(video) {
  return video.evaluate(async (element) => {
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
    const audio = new MediaStream(element.srcObject.getAudioTracks());
    context.createMediaStreamSource(audio).connect(analyser);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const bins = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(bins);
    const peak = bins.indexOf(Math.max(...bins));
    const rate = context.sampleRate;
    await context.close();
    return { hertz: (peak * rate) / analyser.fftSize, decibels: bins[peak] };
  });
}

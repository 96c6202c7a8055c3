// Rates of a stream out of counters that the server tells from time to time.

export class StreamRates {
  #before;

  // bitrate in bit/s and loss from 0 to 1, since the statistics before.
  of({ from = [] }) {
    const sum = (name) => from.reduce((all, track) => all + (track[name] ?? 0), 0);
    const now = {
      at: performance.now(),
      bytes: sum('bytes'),
      packets: sum('packets'),
      lost: sum('lost'),
    };
    const before = this.#before;
    this.#before = now;
    if (!before) return {};
    const since = (name) => Math.max(0, now[name] - before[name]);
    const all = since('packets') + since('lost');
    return {
      bitrate: (since('bytes') * 8000) / (now.at - before.at),
      loss: all > 0 ? since('lost') / all : undefined,
    };
  }
}

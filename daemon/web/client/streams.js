// The streams of a server, as they come and go.

import { Signalling } from './signalling.js';

export class Streams extends EventTarget {
  #signalling;
  #prefix;
  #streams = new Map();
  #readers = new Map();
  #listening = new AbortController();
  // Why they cannot be listed, such as a token that does not allow it.
  failure;

  constructor({ server, token, prefix = '' }) {
    super();
    this.#prefix = prefix;
    this.#signalling = Signalling.to(server, token);
    const { signal } = this.#listening;
    this.#signalling.addEventListener('open', () => this.#watch(), { signal });
    this.#signalling.addEventListener('message', ({ detail }) => this.#take(detail), { signal });
    this.#signalling.addEventListener('state', () => this.#tellState(), { signal });
    if (this.state === 'open') this.#watch();
  }

  // connecting, open, lost or refused
  get state() {
    return this.#signalling.state;
  }

  get server() {
    return this.#signalling.hello?.server;
  }

  // By name: {stream, state, tracks, subscribers} as in the answer to `watch`.
  get all() {
    return this.#streams;
  }

  // Calls `onStatistics` with the statistics of a stream from time to time, until the function
  // that is returned is called.
  statistics(stream, intervalMs, onStatistics) {
    this.#readers.set(stream, { intervalMs, onStatistics });
    this.#ask(stream);
    return () => {
      this.#readers.delete(stream);
      this.#signalling.request('stats', { stream, interval_ms: 0 }).catch(() => {});
    };
  }

  close() {
    this.#listening.abort();
    this.#signalling.release();
  }

  #tellState() {
    this.failure = this.#signalling.failure;
    this.dispatchEvent(new CustomEvent('state', { detail: { state: this.state } }));
  }

  async #watch() {
    try {
      const fields = this.#prefix ? { prefix: this.#prefix } : {};
      const { streams } = await this.#signalling.request('watch', fields);
      this.failure = undefined;
      const present = streams.filter(({ state }) => state !== 'ended');
      this.#streams = new Map(present.map((stream) => [stream.stream, stream]));
      for (const stream of this.#readers.keys()) this.#ask(stream);
    } catch (failure) {
      this.failure = failure;
    }
    this.#tellChange();
  }

  #ask(stream) {
    const { intervalMs, onStatistics } = this.#readers.get(stream);
    this.#signalling
      .request('stats', { stream, interval_ms: intervalMs })
      .then(onStatistics, () => {});
  }

  #take(message) {
    if (message.event === 'stats' && message.leg === undefined) {
      this.#readers.get(message.stream)?.onStatistics(message);
    } else if (message.event === 'stream' && message.stream.startsWith(this.#prefix)) {
      this.#change(message);
    }
  }

  #change({ what, stream, state, tracks, subscribers }) {
    // The server keeps one whose publisher has gone for a while, and says that it has ended.
    if (what === 'ended' || state === 'ended') this.#streams.delete(stream);
    else this.#streams.set(stream, { stream, state, tracks, subscribers });
    this.#tellChange();
  }

  #tellChange() {
    this.dispatchEvent(new Event('change'));
  }
}

// What publications and subscriptions have in common: a peer, its states, and figures each second.

import { Figures } from './figures.js';
import { Peer } from './peer.js';

const FIGURES_MS = 1000;

export class LiveObject extends EventTarget {
  #figures = new Figures();
  #reading;
  // connecting, waiting, live, stalled, reconnecting, ended
  state = 'connecting';
  // Why it is not live; undefined when that needs no explanation.
  failure;

  constructor(stream, { prepare, session, adjust, iceServers = [] }) {
    super();
    this.stream = stream;
    this.peer = new Peer({
      prepare,
      session,
      adjust,
      configuration: { iceServers, bundlePolicy: 'max-bundle' },
    });
    this.peer.addEventListener('state', ({ detail }) => this.become(detail.state, detail.failure));
    this.#reading = setInterval(() => this.#read(), FIGURES_MS);
    const leave = () => this.close();
    addEventListener('pagehide', leave);
    this.addEventListener('ended', () => removeEventListener('pagehide', leave));
    // Whoever has made it gets to add listeners first.
    queueMicrotask(() => this.peer.run());
  }

  close() {
    this.peer.close();
  }

  become(state, failure) {
    this.state = state;
    this.failure = failure;
    this.#tell('state', { state, failure });
    if (state !== 'ended') return;
    clearInterval(this.#reading);
    this.#tell('ended', { failure });
  }

  // What a subclass knows besides.
  moreFigures() {
    return {};
  }

  async #read() {
    const { connection } = this.peer;
    if (!connection || this.state === 'ended') return;
    const figures = await this.#figures.read(connection).catch(() => undefined);
    if (figures) this.#tell('stats', { ...figures, ...this.moreFigures() });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

// One PeerConnection that is kept alive: when its path is lost, ICE is restarted; when that does
// not help, another PeerConnection takes its place.

import { noPath } from './failure.js';
import { Backoff, sleep, until } from './waiting.js';

const CONNECT_MS = 15000;
// Browsers often find their way back by themselves.
const PATIENCE_MS = 2500;
const FAREWELL_MS = 1000;

// `prepare(connection)` adds tracks, `adjust(answer)` changes what is answered, and `session()` makes
// what negotiates:
//   open(offer, {isWaiting}) -> {answer, iceServers}, restart(offer) -> answer, close(),
//   ended: an AbortSignal, of the server's side, if it tells.
export class Peer extends EventTarget {
  #prepare;
  #makeSession;
  #adjust;
  #configuration;
  #end = new AbortController();
  #connection;
  #session;
  #hasBeenLive = false;
  state = 'connecting';

  constructor({ prepare, session, adjust = (answer) => answer, configuration }) {
    super();
    this.#prepare = prepare;
    this.#makeSession = session;
    this.#adjust = adjust;
    this.#configuration = configuration;
  }

  // The RTCPeerConnection of the moment.
  get connection() {
    return this.#connection;
  }

  get session() {
    return this.#session;
  }

  async run() {
    const backoff = new Backoff();
    while (!this.#end.signal.aborted) {
      let failure;
      try {
        await this.#open();
        backoff.reset();
        await this.#live();
      } catch (error) {
        failure = error;
      }
      this.#drop();
      if (this.#end.signal.aborted) return;
      if (this.#isHopeless(failure)) return this.#become('ended', failure);
      const isWaiting = failure?.code === 'stream_not_live';
      this.#become(isWaiting ? 'waiting' : 'reconnecting', failure);
      // The server does the waiting where it can.
      if (!(isWaiting && this.#session?.waits)) {
        await sleep(backoff.next(failure?.retryMs), this.#end.signal);
      }
    }
  }

  close() {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#drop();
    this.#become('ended');
  }

  async #open() {
    const connection = new RTCPeerConnection(this.#configuration);
    this.#connection = connection;
    this.#prepare(connection);
    this.#session = this.#makeSession();
    const offer = await connection.createOffer();
    const { answer, iceServers = [] } = await this.#session.open(offer.sdp, {
      isWaiting: this.state === 'waiting',
      signal: this.#end.signal,
    });
    // Gathering begins with the local description, and so it knows these servers.
    if (iceServers.length > 0) connection.setConfiguration({ ...this.#configuration, iceServers });
    await connection.setLocalDescription(offer);
    await connection.setRemoteDescription({ type: 'answer', sdp: this.#adjust(answer) });
    if (!(await this.#reaches('connected', CONNECT_MS))) {
      throw this.#session.ended?.reason ?? noPath();
    }
  }

  // Until nothing helps any more.
  async #live() {
    const connection = this.#connection;
    for (;;) {
      this.#hasBeenLive = true;
      this.#become('live');
      const signal = this.#signal;
      await until(connection, 'connectionstatechange', () => !this.#is('connected'), { signal });
      if (signal.aborted) throw this.#session.ended?.reason;
      if (this.#is('disconnected') && (await this.#reaches('connected', PATIENCE_MS))) continue;
      this.#become('reconnecting');
      if (!(await this.#restarts())) return;
    }
  }

  // A server that does not know the session any more may take another one.
  async #restarts() {
    const connection = this.#connection;
    const offer = await connection.createOffer({ iceRestart: true });
    await connection.setLocalDescription(offer);
    const answer = await this.#session.restart(offer.sdp).catch(() => undefined);
    if (this.#session.ended?.aborted) throw this.#session.ended.reason;
    if (!answer) return false;
    await connection.setRemoteDescription({ type: 'answer', sdp: this.#adjust(answer) });
    return this.#reaches('connected', CONNECT_MS);
  }

  // Who has been live comes back to a stream that is still busy with his former self.
  #isHopeless(failure) {
    return failure?.isFinal || (failure?.code === 'stream_busy' && !this.#hasBeenLive);
  }

  get #signal() {
    const signals = [this.#end.signal, this.#session?.ended].filter(Boolean);
    return AbortSignal.any(signals);
  }

  #is(state) {
    return this.#connection.connectionState === state;
  }

  #reaches(state, ms) {
    const signal = this.#signal;
    return until(this.#connection, 'connectionstatechange', () => this.#is(state), { ms, signal });
  }

  // The server hears it by the session first: the end of the connection ends the session too, which
  // then could not be found any more.
  #drop() {
    const connection = this.#connection;
    Promise.race([this.#session?.close(), sleep(FAREWELL_MS)]).then(() => connection?.close());
  }

  #become(state, failure) {
    if (state === this.state && !failure) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, failure } }));
  }
}

// A subscription as a webrtc leg on the WebSocket, which can wait for its stream and be told which
// layers it wants.

import { Failure, closed } from './failure.js';
import { Signalling } from './signalling.js';

const WAIT_MS = 60000;
const STATISTICS_MS = 1000;
// The leg is over, but subscribing again makes sense.
const SENTENCES = {
  tracks_changed: 'the publisher came back with other tracks',
  stream_ended: 'the stream has ended',
  shutting_down: 'the server is restarting',
  peer_ended: 'the connection has ended',
  consent_lost: 'the connection was lost',
};

export class LegSession {
  #server;
  #token;
  #stream;
  #layers;
  #onEvent;
  #signalling;
  #leg;
  #peer;
  #over = new AbortController();
  #closing;
  // The server waits for a stream that nobody publishes yet.
  waits = true;

  constructor({ server, token, stream, layers, onEvent }) {
    this.#server = server;
    this.#token = token;
    this.#stream = stream;
    this.#layers = layers;
    this.#onEvent = onEvent;
  }

  get ended() {
    return this.#over.signal;
  }

  async open(offer, { isWaiting, signal }) {
    const signalling = Signalling.to(this.#server, this.#token);
    this.#signalling = signalling;
    await signalling.settled(signal);
    const { leg, webrtc } = await signalling.request('subscribe', {
      stream: this.#stream,
      leg: { webrtc: { offer } },
      ...(isWaiting && { wait_ms: WAIT_MS }),
      ...(this.#layers && { layers: this.#layers }),
    });
    if (this.ended.aborted) {
      // It was closed while the server waited for the stream.
      signalling.request('unsubscribe', { leg }).catch(() => {});
      throw closed();
    }
    this.#leg = leg;
    this.#peer = webrtc.peer;
    this.#listen();
    this.#askStatistics();
    return { answer: webrtc.answer, iceServers: webrtc.ice_servers };
  }

  async restart(offer) {
    await this.#signalling.settled(this.ended);
    const { answer } = await this.#signalling.request('restart', { peer: this.#peer, offer });
    return answer;
  }

  async setLayers(layers) {
    this.#layers = layers;
    await this.#signalling.request('update', { leg: this.#leg, layers });
  }

  close() {
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  async #leave() {
    const signalling = this.#signalling;
    const hasLeg = this.#leg !== undefined && !this.ended.aborted;
    this.#signalling = undefined;
    this.#over.abort();
    if (hasLeg) await signalling.request('unsubscribe', { leg: this.#leg }).catch(() => {});
    signalling?.release();
  }

  #listen() {
    const { signal } = this.#over;
    this.#signalling.addEventListener('message', ({ detail }) => this.#take(detail), { signal });
    this.#signalling.addEventListener('open', ({ detail }) => this.#resumed(detail), { signal });
  }

  #askStatistics() {
    this.#signalling.request('stats', { leg: this.#leg, interval_ms: STATISTICS_MS }).then(
      (detail) => this.#onEvent({ event: 'stats', ...detail }),
      () => {},
    );
  }

  // The server ends the legs of clients that stay away too long.
  #resumed({ resumed, legs }) {
    if (!resumed || !legs.some(({ leg }) => leg === this.#leg)) this.#end('lost');
  }

  #take(message) {
    if (message.event === 'peer_state' && message.peer === this.#peer) {
      if (message.state === 'ended') this.#end(message.reason);
    } else if (message.leg === this.#leg) {
      if (message.event === 'leg_ended') this.#end(message.reason);
      else this.#onEvent(message);
    }
  }

  #end(reason) {
    const isStopped = reason === 'stopped';
    this.#over.abort(
      new Failure({
        code: reason === 'stream_ended' ? 'stream_not_live' : reason,
        status: isStopped ? 403 : 0,
        text: isStopped ? 'an administrator has ended it' : (SENTENCES[reason] ?? reason),
      }),
    );
  }
}

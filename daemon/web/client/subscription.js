// A stream that this page watches: as a leg on the WebSocket, or by WHEP.

import { HttpSession } from './http_session.js';
import { LegSession } from './leg_session.js';
import { LiveObject } from './live_object.js';

export class Subscription extends LiveObject {
  #video;
  #layers;
  #server = {};

  constructor(stream, { server, token, video, layers, via = 'websocket', iceServers }) {
    super(stream, {
      prepare: (connection) => this.#receive(connection),
      session: () =>
        via === 'whep'
          ? new HttpSession(new URL(`whep/${encodeURIComponent(stream)}`, server), token)
          : new LegSession({
              server,
              token,
              stream,
              layers: this.#layers,
              onEvent: (event) => this.#take(event),
            }),
      iceServers,
    });
    this.#video = video;
    this.#layers = layers;
  }

  // A MediaStream of what arrives; another one after a new connection.
  media = new MediaStream();

  // {max_height: 360}, {rid: 'l'} or {} (the best that flows).
  async setLayers(layers) {
    this.#layers = layers;
    await this.peer.session?.setLayers?.(layers);
  }

  // What the server says of the stream and of this subscription.
  moreFigures() {
    return this.#server;
  }

  become(state, failure) {
    super.become(state, failure);
    // The last picture stays until there is another one.
    if (state === 'live' && this.#video && this.#video.srcObject !== this.media) {
      this.#video.srcObject = this.media;
    }
    if (state === 'ended' && this.#video) this.#video.srcObject = null;
  }

  #receive(connection) {
    this.media = new MediaStream();
    const { media } = this;
    connection.addEventListener('track', ({ track }) => media.addTrack(track));
    connection.addTransceiver('video', { direction: 'recvonly' });
    connection.addTransceiver('audio', { direction: 'recvonly' });
  }

  #take(event) {
    if (event.event === 'stats') this.#server = serverFigures(event);
    if (event.event !== 'leg_state') return;
    if (this.state !== 'live' && this.state !== 'stalled') return;
    this.become(event.state === 'live' ? 'live' : 'stalled');
  }
}

function serverFigures({ from = [], to = [] }) {
  const tracks = to.flatMap((receiver) => receiver.tracks);
  return {
    layers: from.flatMap(({ encodings = [] }) => encodings).filter(({ rid }) => rid),
    layer: tracks.find(({ rid }) => rid)?.rid,
    withheld: tracks.find(({ withheld }) => withheld)?.withheld,
  };
}

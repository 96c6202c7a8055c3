// A client of the signalling protocol, for pages and for Node alike: it is given an open WebSocket.

const RTP = 0x10; // version 1, kind 0 (core/signalling/PROTOCOL.md)

export class Signalling {
  #socket;
  #answers = new Map();
  #number = 0;

  constructor(socket, onMedia) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#take(JSON.parse(data));
      else onMedia(new DataView(data));
    };
  }

  #take(message) {
    if (message.re === undefined) return;
    const { resolve, reject } = this.#answers.get(message.re);
    this.#answers.delete(message.re);
    if (message.ok) resolve(message.ok);
    else reject(new Error(`${message.error.code}: ${message.error.text}`));
  }

  request(verb, fields = {}) {
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({ id, do: verb, ...fields }));
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  sendPacket(channel, packet) {
    const message = new Uint8Array(4 + packet.length);
    new DataView(message.buffer).setUint32(0, (RTP << 24) | channel);
    message.set(packet, 4);
    this.#socket.send(message);
  }
}

export function opened(socket) {
  return new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('the WebSocket could not be opened'));
  });
}

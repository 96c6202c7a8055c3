// The WebSocket of core/signalling/PROTOCOL.md: requests, events, and coming back after a loss.
//
// Events: `state` (connecting, open, lost, refused), `message` (an event of the server), and `open`
// with `resumed` and `legs`: what the session still has.

import { Failure, closed, failureOfAnswer, unreachable } from './failure.js';
import { Backoff, sleep } from './waiting.js';

const ANSWER_MS = 10000;
const shared = new Map();

export class Signalling extends EventTarget {
  #url;
  #token;
  #users = 0;
  #socket;
  #session;
  #number = 0;
  #onLost;
  #pending = new Map();
  #end = new AbortController();
  state = 'connecting';
  // What `hello` has told; undefined before.
  hello;
  // Why it is `refused`.
  failure;

  // The same one for all who use a server with a token; each has to `release` it.
  static to(server, token = '') {
    const url = new URL('v1/signal', server);
    url.protocol = url.protocol.replace('http', 'ws');
    const key = `${url} ${token}`;
    let signalling = shared.get(key);
    if (!signalling) {
      signalling = new Signalling(url, token);
      shared.set(key, signalling);
      signalling.#end.signal.addEventListener('abort', () => shared.delete(key));
      addEventListener('pagehide', () => signalling.#close());
      signalling.#run();
    }
    signalling.#users += 1;
    return signalling;
  }

  constructor(url, token) {
    super();
    this.#url = url;
    this.#token = token;
  }

  release() {
    this.#users -= 1;
    if (this.#users === 0) this.#close();
  }

  // The `ok` of the answer, or a Failure. `wait_ms` of the request prolongs the wait for it.
  request(verb, fields = {}) {
    if (this.state !== 'open') return Promise.reject(this.failure ?? unreachable());
    return this.#ask(verb, fields);
  }

  // When it is open, or refused.
  async settled(signal) {
    while (this.state !== 'open' && this.state !== 'refused' && !signal.aborted) {
      await new Promise((resolve) => {
        this.addEventListener('state', resolve, { once: true });
        signal.addEventListener('abort', resolve, { once: true });
      });
    }
  }

  async #run() {
    const backoff = new Backoff();
    while (!this.#end.signal.aborted) {
      try {
        const [lost] = await this.#connect();
        backoff.reset();
        await lost;
        this.#become('lost');
      } catch (failure) {
        if (this.#end.signal.aborted) return;
        this.#socket?.close();
        if (failure.isFinal) {
          this.failure = failure;
          this.#become('refused');
          return;
        }
        this.#become('lost');
        await this.#pause(backoff.next(failure.retryMs));
      }
    }
  }

  // A machine that is back on the network does not wait.
  async #pause(ms) {
    const online = new AbortController();
    const wake = () => online.abort();
    addEventListener('online', wake, { once: true });
    await sleep(ms, AbortSignal.any([online.signal, this.#end.signal]));
    removeEventListener('online', wake);
  }

  async #connect() {
    const socket = new WebSocket(this.#url, 'runnel.v1');
    this.#socket = socket;
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onclose = () => reject(unreachable());
    });
    socket.onmessage = ({ data }) => typeof data === 'string' && this.#take(JSON.parse(data));
    // In an array, as a promise that a function returns would be waited for.
    const lost = [new Promise((resolve) => (this.#onLost = resolve))];
    socket.onclose = () => this.#fail(socket);
    this.hello = await this.#greet().catch((failure) => {
      if (failure.code !== 'unknown_session') throw failure;
      this.#session = undefined;
      return this.#greet();
    });
    this.#session = this.hello.session;
    this.#become('open');
    const { resumed, legs = [] } = this.hello;
    this.dispatchEvent(new CustomEvent('open', { detail: { resumed, legs } }));
    return lost;
  }

  #greet() {
    return this.#ask('hello', {
      versions: [1],
      ...(this.#token && { token: this.#token }),
      ...(this.#session && { resume: this.#session }),
    });
  }

  #ask(verb, fields) {
    const id = ++this.#number;
    const socket = this.#socket;
    socket.send(JSON.stringify({ id, do: verb, ...fields }));
    return new Promise((resolve, reject) => {
      // A connection that does not answer is one that has been lost without a word.
      const timer = setTimeout(
        () => {
          this.#fail(socket);
          socket.close();
        },
        ANSWER_MS + (fields.wait_ms ?? 0),
      );
      this.#pending.set(id, { resolve, reject, timer });
    });
  }

  #take(message) {
    if (message.re === undefined) {
      this.dispatchEvent(new CustomEvent('message', { detail: message }));
      return;
    }
    const waiting = this.#pending.get(message.re);
    if (!waiting) return;
    this.#pending.delete(message.re);
    clearTimeout(waiting.timer);
    if (message.ok) waiting.resolve(message.ok);
    else waiting.reject(failureOfAnswer(message.error));
  }

  #fail(socket) {
    if (socket !== this.#socket) return;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(this.#end.signal.aborted ? closed() : unreachable());
    }
    this.#pending.clear();
    this.#onLost();
  }

  #become(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, failure: this.failure } }));
  }

  #close() {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    if (this.state === 'open') {
      this.#socket.send(JSON.stringify({ id: ++this.#number, do: 'bye' }));
    }
    this.#socket?.close();
    this.failure = new Failure({ code: 'closed', text: 'the connection has been closed' });
  }
}

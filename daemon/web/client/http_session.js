// A session of WHIP or WHEP: an offer is posted, and the resource that it makes is patched and
// deleted (RFC 9725).

import { Failure, closed, failureOfResponse, unreachable } from './failure.js';
import { answerWith, fragmentOf } from './sdp_fragment.js';

// Link: <turn:relay.example>; rel="ice-server"; username="..."; credential="..."
export function iceServersOf(link) {
  const servers = [];
  for (const [, urls, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/rel="?ice-server"?/.test(parameters)) continue;
    const parameter = (name) => parameters.match(new RegExp(`${name}="([^"]*)"`))?.[1];
    servers.push({
      urls,
      ...(parameter('username') && {
        username: parameter('username'),
        credential: parameter('credential'),
      }),
    });
  }
  return servers;
}

const ANSWER_MS = 15000;

export class HttpSession {
  #endpoint;
  #token;
  #resource;
  #answer;
  #closing;

  constructor(endpoint, token) {
    this.#endpoint = endpoint;
    this.#token = token;
  }

  async #send(method, url, { type, body, headers, keepalive } = {}) {
    const request = {
      method,
      body,
      keepalive,
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        ...(type && { 'Content-Type': type }),
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
    };
    const response = await fetch(url, request).catch(() => {
      throw unreachable();
    });
    if (!response.ok) throw await failureOfResponse(response);
    return response;
  }

  async open(offer) {
    const response = await this.#send('POST', this.#endpoint, {
      type: 'application/sdp',
      body: offer,
    });
    const location = response.headers.get('Location');
    if (!location) throw new Failure({ code: 'http', text: 'the answer has no Location' });
    this.#resource = new URL(location, response.url);
    if (this.#closing) {
      // It was closed while the server thought about it.
      await this.#delete();
      throw closed();
    }
    this.#answer = await response.text();
    return { answer: this.#answer, iceServers: iceServersOf(response.headers.get('Link')) };
  }

  async restart(offer) {
    const response = await this.#send('PATCH', this.#resource, {
      type: 'application/trickle-ice-sdpfrag',
      body: fragmentOf(offer),
      headers: { 'If-Match': '"*"' },
    });
    this.#answer = answerWith(this.#answer, await response.text());
    return this.#answer;
  }

  // Also while the page is being left.
  close() {
    this.#closing ??= this.#delete();
    return this.#closing;
  }

  async #delete() {
    if (!this.#resource) return;
    await this.#send('DELETE', this.#resource, { keepalive: true }).catch(() => {});
  }
}

// Why something did not work: a code for programs, a sentence for people.

// With these, the same request meets the same answer, however often it is made.
const FINAL = new Set([400, 401, 403, 404, 405, 406, 413, 415, 422]);

export class Failure extends Error {
  constructor({ code, status = 0, text, retryMs }) {
    super(text);
    this.name = 'Failure';
    this.code = code;
    this.status = status;
    this.retryMs = retryMs;
  }

  get isFinal() {
    return FINAL.has(this.status);
  }
}

export function unreachable() {
  return new Failure({ code: 'unreachable', text: 'the server cannot be reached' });
}

// Signalling gets through, media does not.
export function noPath() {
  return new Failure({
    code: 'no_path',
    text: 'no way for media to the server was found: does a firewall keep UDP away from it?',
  });
}

export function closed() {
  return new Failure({ code: 'closed', text: 'it has been closed' });
}

// Of an answer on the WebSocket.
export function failureOfAnswer({ code, status, text, retry_ms: retryMs }) {
  return new Failure({ code, status, text, retryMs });
}

// Of an HTTP response, whose body is a problem document (RFC 9457) when Runnel has written it.
export async function failureOfResponse(response) {
  const problem = await response.json().catch(() => ({}));
  const seconds = Number(response.headers.get('Retry-After'));
  return new Failure({
    code: problem.code ?? 'http',
    status: response.status,
    text: problem.detail ?? `the server answers with ${response.status} ${response.statusText}`,
    retryMs: problem.retry_ms ?? (seconds > 0 ? seconds * 1000 : undefined),
  });
}

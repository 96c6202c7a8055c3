// Waiting: for a time, for a state, and longer from try to try.

const FIRST_MS = 500;
const LONGEST_MS = 15000;

export class Backoff {
  #next = FIRST_MS;

  // A random part keeps clients that were lost together from coming back together.
  next(atLeast = 0) {
    const wait = this.#next * (0.75 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    return Math.max(wait, atLeast);
  }

  reset() {
    this.#next = FIRST_MS;
  }
}

// Resolves earlier when `signal` is aborted.
export function sleep(ms, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}

// Whether `is` has come true before `ms` have passed or `signal` is aborted; it is asked again
// after each event of the given type.
export function until(target, type, is, { ms, signal }) {
  return new Promise((resolve) => {
    if (is()) return resolve(true);
    if (signal.aborted) return resolve(false);
    const timer = ms === undefined ? undefined : setTimeout(() => done(false), ms);
    const look = () => is() && done(true);
    const stop = () => done(false);
    target.addEventListener(type, look);
    signal.addEventListener('abort', stop);
    function done(result) {
      clearTimeout(timer);
      target.removeEventListener(type, look);
      signal.removeEventListener('abort', stop);
      resolve(result);
    }
  });
}

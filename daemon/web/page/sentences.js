// States and failures as sentences that say what is going on, and what to do.

import { count, percent } from './format.js';

const NOTICEABLE_LOSS = 0.02;

export const STATES = {
  connecting: { text: 'Connecting', tone: undefined },
  waiting: { text: 'Waiting', tone: undefined },
  live: { text: 'Live', tone: 'good' },
  stalled: { text: 'Stalled', tone: 'warning' },
  reconnecting: { text: 'Reconnecting', tone: 'warning' },
  ended: { text: 'Ended', tone: undefined },
};

export const SERVER_STATES = {
  connecting: { text: 'Connecting', tone: undefined },
  open: { text: 'Connected', tone: 'good' },
  lost: { text: 'Connection lost, trying again', tone: 'warning' },
  refused: { text: 'Not let in', tone: 'bad' },
};

const ADVICE = {
  unreachable: 'The server cannot be reached. It is tried again by itself.',
  stream_busy: 'Somebody else publishes under this name. Choose another one, or try again later.',
  stream_not_live: 'Nobody publishes this stream yet. It appears here as soon as somebody does.',
  forbidden: 'The token does not allow this. Ask whoever runs the server for one that does.',
  full: 'The server is full. Try again in a moment.',
  rate_limited: 'That was too often in a short time. Wait a moment and try again.',
};

const TOKEN_ADVICE = 'Ask whoever runs the server for one that it accepts.';

function sentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

export function failureSentence(failure) {
  const { code, message } = failure;
  // Whether a token is missing, expired or wrong, the server says itself.
  if (code === 'not_authorized') return `${sentence(message)} ${TOKEN_ADVICE}`;
  return ADVICE[code] ?? sentence(message);
}

// Why there is no camera or screen to publish.
export function mediaSentence(error, source) {
  const what = source === 'screen' ? 'the screen' : 'the camera';
  return (
    {
      NotAllowedError:
        `The browser was not allowed to use ${what}. ` +
        'Allow it beside the address bar, and try again.',
      NotFoundError: 'This machine has no camera or microphone. Publish the test pattern instead.',
      NotReadableError: `Another program uses ${what}. Close it there, and try again.`,
      InsecureContext:
        `Browsers let pages use ${what} only over https or on localhost. ` +
        'Set up tls in runnel.yaml, or publish the test pattern.',
    }[error.name] ?? sentence(error.message)
  );
}

// What a viewer should know, if anything.
export function watchingSentence(state, failure) {
  if (state === 'waiting') return ADVICE.stream_not_live;
  if (failure?.code) return failureSentence(failure);
  return {
    connecting: 'Connecting',
    live: '',
    stalled: 'The publisher has stopped sending. The picture goes on as soon as it does.',
    reconnecting: 'The connection was lost. Reconnecting.',
    ended: 'You have stopped watching.',
  }[state];
}

// `loss` is the publisher's on its way to the server, over the last seconds.
export function health({ state, bitrate, loss = 0, receivers = [] }) {
  const warn = (text) => ({ text, tone: 'warning' });
  if (state === 'waiting') return { text: 'Announced; no media has come yet.' };
  if (state === 'stalled') return warn('The publisher has stopped sending.');
  if (bitrate === undefined) return { text: '' };
  if (bitrate === 0) return warn('No media comes at the moment.');
  const tracks = receivers.flatMap((receiver) => receiver.tracks ?? []);
  const withheld = tracks.filter((track) => track.withheld);
  if (loss > NOTICEABLE_LOSS) {
    return warn(`The publisher loses ${percent(loss).join(' ')} on its way here.`);
  }
  if (withheld.length > 0) return warn(sentence(withheld[0].withheld));
  const suffering = receivers.filter((receiver) =>
    (receiver.tracks ?? []).some(({ fraction_lost: lost = 0 }) => lost > NOTICEABLE_LOSS),
  );
  if (suffering.length > 0) {
    const who = count(suffering.length, 'viewer loses', 'viewers lose');
    return warn(`${who} packets on the way from here.`);
  }
  return { text: 'Everything flows well.' };
}

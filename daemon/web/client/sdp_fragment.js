// The fragments of SDP by which WHIP and WHEP restart ICE (RFC 8840 §9, RFC 9725 §4.3).

function value(sdp, name) {
  return sdp.match(new RegExp(`^a=${name}:(.*?)\\r?$`, 'm'))?.[1];
}

export function fragmentOf(offer) {
  return [
    `a=ice-ufrag:${value(offer, 'ice-ufrag')}`,
    `a=ice-pwd:${value(offer, 'ice-pwd')}`,
    '',
  ].join('\r\n');
}

// The answer as if it were made now: with the credentials and candidates of `fragment`.
export function answerWith(answer, fragment) {
  const candidates = fragment.match(/^a=(candidate:.*|end-of-candidates)\r?$/gm) ?? [];
  const seen = new Set();
  let media = 0;
  const lines = [];
  for (const line of answer.split(/\r?\n/)) {
    if (line.startsWith('a=candidate:') || line.startsWith('a=end-of-candidates')) {
      // In the first medium, which carries the bundle.
      if (media === 1 && !seen.has('candidates')) {
        seen.add('candidates');
        lines.push(...new Set(candidates.map((candidate) => candidate.trim())));
      }
      continue;
    }
    if (line.startsWith('m=')) media += 1;
    if (line.startsWith('a=ice-ufrag:')) lines.push(`a=ice-ufrag:${value(fragment, 'ice-ufrag')}`);
    else if (line.startsWith('a=ice-pwd:')) lines.push(`a=ice-pwd:${value(fragment, 'ice-pwd')}`);
    else lines.push(line);
  }
  return lines.join('\r\n');
}

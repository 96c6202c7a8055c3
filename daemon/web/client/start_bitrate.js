// Lets Chromium begin with more than the 300 kbit/s from which it takes long to come to a good
// picture. What is too much, the server's feedback tells within a second.

const KBITS = 1500;

// A parameter of each video format in the answer; other browsers do not know it, and pass it over.
export function withStartBitrate(answer) {
  const sections = answer.split(/(?=^m=)/m);
  return sections
    .map((section) => (section.startsWith('m=video') ? add(section) : section))
    .join('');
}

function add(section) {
  const parameter = `x-google-start-bitrate=${KBITS}`;
  const lines = section.replace(/^(a=fmtp:\d+ (?!apt=)[^\r\n]*)/gm, `$1;${parameter}`);
  return lines.replace(/^a=rtpmap:(\d+) (?!rtx|red|ulpfec)[^\r\n]*\r?\n/gim, (line, type) =>
    new RegExp(`^a=fmtp:${type} `, 'm').test(lines)
      ? line
      : `${line}a=fmtp:${type} ${parameter}\r\n`,
  );
}

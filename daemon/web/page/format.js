// Figures as people read them.

// 2410000 -> ['2.4', 'Mbit/s']
export function bitrate(bits) {
  if (bits === undefined) return ['–', ''];
  if (bits >= 1e6) return [(bits / 1e6).toFixed(bits >= 1e7 ? 0 : 1), 'Mbit/s'];
  return [Math.round(bits / 1e3).toString(), 'kbit/s'];
}

// 0.0123 -> ['1.2', '%']
export function percent(part) {
  if (part === undefined) return ['–', ''];
  const value = part * 100;
  return [value === 0 || value >= 10 ? value.toFixed(0) : value.toFixed(1), '%'];
}

export function milliseconds(time) {
  return time === undefined ? ['–', ''] : [Math.round(time).toString(), 'ms'];
}

// 'opus/48000/2' -> 'Opus'
export function codec(name) {
  const short = name.split('/')[0];
  return (
    { OPUS: 'Opus', H264: 'H.264', H265: 'H.265', G722: 'G.722' }[short.toUpperCase()] ?? short
  );
}

// 'VP8 and Opus', of tracks as the server lists them.
export function codecs(tracks) {
  const videoFirst = [...tracks].sort((a, b) => (a.kind < b.kind ? 1 : -1));
  return videoFirst.map((track) => codec(track.codec)).join(' and ');
}

export function count(number, one, many) {
  return number === 1 ? `1 ${one}` : `${number} ${many}`;
}

export function resolution({ width, height }) {
  return width && height ? `${width} × ${height}` : undefined;
}

// Where a stream is watched by those who have its link, and how other sites embed it.

export function shareLink(stream) {
  return new URL(`watch/${encodeURIComponent(stream)}`, document.baseURI).href;
}

export function embedCode(stream) {
  return `<iframe src="${shareLink(stream)}" title="${stream}" width="640" height="360"
  allow="autoplay; fullscreen" style="border: 0"></iframe>`;
}

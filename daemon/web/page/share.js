// Where a stream is watched by those who have its link, and how other sites embed it.

const ENTITIES = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

export function shareLink(stream) {
  return new URL(`watch/${encodeURIComponent(stream)}`, document.baseURI).href;
}

export function embedCode(stream) {
  const [link, title] = [shareLink(stream), stream].map(escaped);
  return `<iframe src="${link}" title="${title}" width="640" height="360"
  allow="autoplay; fullscreen" style="border: 0"></iframe>`;
}

// As the value of an attribute in HTML.
function escaped(text) {
  return text.replace(/[&"<>]/g, (character) => ENTITIES[character]);
}

// A text with a button that copies it.

import { freshId, h } from './elements.js';

const CONFIRMED_MS = 2000;

// Without https there is no clipboard; then the text is selected, to be copied by hand.
async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    getSelection().selectAllChildren(element);
    return 'Selected: press Ctrl+C';
  }
}

export function copyButton({ label, text, element, title = 'Copy' }) {
  const button = h('button', { type: 'button', class: 'small-button' }, title);
  const said = h('span', { class: 'unseen', role: 'status' });
  button.setAttribute('aria-label', `${title}: ${label}`);
  let timer;
  button.onclick = async () => {
    const result = await copy(text(), element ?? button);
    button.textContent = result;
    said.textContent = result;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = title;
      said.textContent = '';
    }, CONFIRMED_MS);
  };
  return [button, said];
}

export function copyable(label, text) {
  const id = freshId('copyable');
  const code = h('code', {}, text);
  return h(
    'div',
    { class: 'copyable', role: 'group', 'aria-labelledby': id },
    h(
      'div',
      { class: 'copyable-head' },
      h('span', { id }, label),
      h('span', {}, ...copyButton({ label, text: () => code.textContent, element: code })),
    ),
    h('pre', { tabindex: '0', 'aria-labelledby': id }, code),
  );
}

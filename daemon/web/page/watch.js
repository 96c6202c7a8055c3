// The page of one stream: /watch/NAME. A token may stand behind the '#', which no server is sent.

import { h, parts } from './elements.js';
import { Player } from './player.js';

const IDLE_MS = 3000;

const stream = decodeURIComponent(location.pathname.split('/').at(-1));
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
const { player: place } = parts();
const player = new Player(stream, { token });

document.title = `${stream} – Runnel`;
place.replaceChildren(
  player.screen,
  h('div', { class: 'controls' }, h('h1', { class: 'title' }, stream), ...player.controls),
);
place.querySelector('.controls button').classList.add('push');

let timer;
function stir() {
  place.removeAttribute('data-idle');
  clearTimeout(timer);
  timer = setTimeout(() => {
    place.toggleAttribute('data-idle', player.subscription.state === 'live');
  }, IDLE_MS);
}
player.addEventListener('state', stir);
for (const type of ['pointermove', 'pointerdown', 'keydown']) addEventListener(type, stir);
stir();

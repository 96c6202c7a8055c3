// The place on the page where one stream is watched: player, plots, and how to share it.

import { copyable } from './copyable.js';
import { h, say } from './elements.js';
import * as format from './format.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { STATES } from './sentences.js';
import { embedCode, shareLink } from './share.js';

export class Stage {
  #element;
  #token;
  #player;
  #onClose;

  constructor(element, { token }) {
    this.#element = element;
    this.#token = token;
  }

  get stream() {
    return this.#player?.subscription.stream;
  }

  // `onClose` is called once this stream is no longer watched.
  show(stream, onClose) {
    this.close();
    this.#onClose = onClose;
    this.#player = new Player(stream, { token: this.#token.value });
    this.#element.replaceChildren(...this.#fill(stream, this.#player));
    this.#element.hidden = false;
    const title = this.#element.querySelector('h2');
    title.focus();
    title.scrollIntoView({ block: 'nearest' });
  }

  close() {
    if (!this.#player) return;
    this.#player.close();
    this.#player = undefined;
    this.#element.hidden = true;
    this.#element.replaceChildren();
    this.#onClose();
  }

  #fill(stream, player) {
    const chip = h('p', { class: 'chip' });
    const facts = h('p', { class: 'muted small' });
    const plots = new Plots();
    const showState = () => {
      const { state, failure } = player.subscription;
      say(chip, STATES[state].text, STATES[state].tone);
      if (failure?.status === 401) this.#token.ask();
    };
    player.addEventListener('state', showState);
    player.addEventListener('stats', ({ detail }) => {
      plots.add(detail);
      say(facts, factsOf(detail));
    });
    showState();
    const close = h('button', { type: 'button', class: 'quiet' }, 'Close');
    close.onclick = () => this.close();
    return [
      h(
        'div',
        { class: 'stage-head' },
        h('div', {}, h('h2', { tabindex: '-1' }, stream), chip, facts),
        close,
      ),
      player.screen,
      h('div', { class: 'controls' }, ...player.controls),
      plots.element,
      h(
        'details',
        { class: 'share' },
        h('summary', {}, 'Share this stream'),
        h(
          'div',
          { class: 'share-lines' },
          copyable('Link', shareLink(stream)),
          copyable('To embed it in a page', embedCode(stream)),
        ),
      ),
    ];
  }
}

function factsOf(figures) {
  return [format.resolution(figures), figures.codecs.map(format.codec).join(' and ')]
    .filter(Boolean)
    .join(' · ');
}

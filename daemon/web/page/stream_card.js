// One live stream, as a card of the list.

import { copyButton } from './copyable.js';
import { h, say } from './elements.js';
import * as format from './format.js';
import { health, STATES } from './sentences.js';
import { shareLink } from './share.js';
import { Sparkline } from './sparkline.js';
import { StreamRates } from './stream_rates.js';

export class StreamCard {
  #rates = new StreamRates();
  #chip = h('span', { class: 'chip' });
  #facts = h('ul', { class: 'facts' });
  #bitrate = h('p', {}, '–');
  #line = new Sparkline(100_000);
  #health = h('p', { class: 'health muted' });
  #button = h('button', { type: 'button', class: 'tonal' }, 'Watch');
  #stream;
  #statistics = {};
  element;

  constructor(name, { onWatch }) {
    this.#button.setAttribute('aria-label', `Watch ${name}`);
    this.#button.onclick = onWatch;
    this.element = h(
      'li',
      { class: 'card' },
      h('div', { class: 'card-head' }, h('h3', {}, name), this.#chip),
      this.#facts,
      h('div', { class: 'card-flow' }, this.#bitrate, this.#line.element),
      this.#health,
      h(
        'div',
        { class: 'card-buttons' },
        this.#button,
        ...copyButton({ label: name, text: () => shareLink(name), title: 'Copy link' }),
      ),
    );
  }

  set isWatched(isWatched) {
    this.element.toggleAttribute('data-watched', isWatched);
    this.#button.disabled = isWatched;
    this.#button.textContent = isWatched ? 'Watching' : 'Watch';
  }

  focus() {
    this.#button.focus();
  }

  show(stream) {
    this.#stream = stream;
    const { text, tone } = STATES[stream.state] ?? STATES.ended;
    say(this.#chip, text, tone);
    this.#showFacts();
    this.#showHealth();
  }

  showStatistics(statistics) {
    const rates = this.#rates.of(statistics);
    this.#bitrate.textContent = format.bitrate(rates.bitrate).join(' ').trim();
    this.#line.add(rates.bitrate);
    this.#statistics = { ...statistics, ...rates };
    this.#showFacts();
    this.#showHealth();
  }

  #showFacts() {
    const encodings = (this.#statistics.from ?? []).flatMap((track) => track.encodings ?? []);
    const [largest] = encodings.sort((a, b) => (b.height ?? 0) - (a.height ?? 0));
    const flowing = encodings.filter((encoding) => encoding.flowing && encoding.rid);
    const facts = [
      format.codecs(this.#stream.tracks),
      largest && format.resolution(largest),
      flowing.length > 1 && `${flowing.length} sizes`,
      format.count(this.#stream.subscribers ?? 0, 'viewer', 'viewers'),
    ];
    this.#facts.replaceChildren(...facts.filter(Boolean).map((fact) => h('li', {}, fact)));
  }

  #showHealth() {
    const { bitrate, loss, to: receivers } = this.#statistics;
    const { text, tone } = health({ state: this.#stream.state, bitrate, loss, receivers });
    say(this.#health, text, tone);
  }
}

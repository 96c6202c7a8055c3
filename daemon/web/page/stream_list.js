// The list of live streams; statistics are asked for those that can be seen.

import { h, say } from './elements.js';
import * as format from './format.js';
import { failureSentence } from './sentences.js';
import { StreamCard } from './stream_card.js';

const STATISTICS_MS = 1000;

export class StreamList {
  #streams;
  #parts;
  #stage;
  #cards = new Map();
  #stops = new Map();
  #visible = new IntersectionObserver((entries) => this.#look(entries));

  constructor(streams, { parts, stage }) {
    this.#streams = streams;
    this.#parts = parts;
    this.#stage = stage;
    streams.addEventListener('change', () => this.#update());
    streams.addEventListener('state', () => this.#showEmpty());
    this.#update();
  }

  close() {
    for (const name of [...this.#cards.keys()]) this.#remove(name);
  }

  #update() {
    const { all } = this.#streams;
    for (const name of [...this.#cards.keys()]) if (!all.has(name)) this.#remove(name);
    const names = [...all.keys()].sort();
    names.forEach((name, index) => {
      const card = this.#cards.get(name) ?? this.#add(name);
      card.show(all.get(name));
      const { cards } = this.#parts;
      if (cards.children[index] !== card.element) {
        cards.insertBefore(card.element, cards.children[index] ?? null);
      }
    });
    this.#showEmpty();
  }

  #add(name) {
    const card = new StreamCard(name, { onWatch: () => this.#watch(name) });
    card.isWatched = this.#stage.stream === name;
    card.element.dataset.stream = name;
    this.#cards.set(name, card);
    this.#visible.observe(card.element);
    return card;
  }

  #remove(name) {
    const { element } = this.#cards.get(name);
    this.#visible.unobserve(element);
    this.#stops.get(name)?.();
    this.#stops.delete(name);
    this.#cards.delete(name);
    element.remove();
  }

  #watch(name) {
    this.#stage.show(name, () => {
      const card = this.#cards.get(name);
      if (!card) return;
      card.isWatched = false;
      card.focus();
    });
    this.#cards.get(name).isWatched = true;
  }

  #look(entries) {
    for (const { target, isIntersecting } of entries) {
      const name = target.dataset.stream;
      const card = this.#cards.get(name);
      if (isIntersecting && card && !this.#stops.has(name)) {
        const show = (statistics) => card.showStatistics(statistics);
        this.#stops.set(name, this.#streams.statistics(name, STATISTICS_MS, show));
      } else if (!isIntersecting) {
        this.#stops.get(name)?.();
        this.#stops.delete(name);
      }
    }
  }

  #showEmpty() {
    const { failure, state } = this.#streams;
    const number = this.#cards.size;
    const isKnown = state === 'open' && !failure;
    say(this.#parts.count, isKnown ? format.count(number, 'stream', 'streams') : '');
    this.#parts.empty.hidden = number > 0 || (state === 'connecting' && !failure);
    const [title, text] = this.#emptyText(state, failure);
    this.#parts.empty.replaceChildren(h('h2', {}, title), h('p', {}, text));
  }

  #emptyText(state, failure) {
    if (failure?.status === 403) {
      return [
        'The list is not for this token',
        'It allows publishing or watching by name, not seeing which streams there are. ' +
          'A stream can still be watched by its link.',
      ];
    }
    if (failure) return ['The list cannot be shown', failureSentence(failure)];
    if (state === 'lost') {
      return [
        'The server cannot be reached',
        'Is runneld running? This page tries again by itself, and shows the streams as soon as ' +
          'it answers.',
      ];
    }
    return [
      'Nothing is live yet',
      'Press Publish to send your camera, your screen or a test pattern, or copy a line below to ' +
        'publish with OBS, GStreamer or ffmpeg. Streams appear here by themselves.',
    ];
  }
}

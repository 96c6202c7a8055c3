// The panel from which this browser publishes: a form, and then what becomes of it.

import { publish } from '../../runnel.js';
import { h, say } from './elements.js';
import * as format from './format.js';
import { Plots } from './plots.js';
import { PublishForm } from './publish_form.js';
import { failureSentence, STATES } from './sentences.js';
import { open } from './sources.js';

export class PublishPanel {
  #element;
  #token;
  #form;
  #view = h('div');
  #title = h('h2', { id: 'publish-title', tabindex: '-1' }, 'Publish');
  #publication;

  // onName() when another name is chosen.
  constructor(element, { token, onName }) {
    this.#element = element;
    this.#token = token;
    this.#form = new PublishForm({ onName, onPublish: (wishes) => this.#publish(wishes) });
    this.#view.replaceChildren(this.#form.element);
    this.#element.replaceChildren(this.#title, this.#view);
  }

  get stream() {
    return this.#form.stream;
  }

  async #publish({ stream, source, codec, simulcast }) {
    this.#form.showError();
    this.#form.isBusy = true;
    try {
      const { media, stop } = await open(source, stream);
      this.#begin(stream, { media, stop, codec, simulcast });
    } catch (error) {
      this.#form.showError(error.message);
    } finally {
      this.#form.isBusy = false;
    }
  }

  #begin(stream, { media, stop, codec, simulcast }) {
    const token = this.#token.value;
    const publication = publish(stream, { media, codec, simulcast, token });
    this.#publication = publication;
    // Screens can be taken back by the browser's own button.
    for (const track of media.getTracks()) track.onended = () => publication.close();
    publication.addEventListener('ended', ({ detail }) => this.#end(stop, detail.failure));
    this.#view.replaceChildren(this.#publishing(publication));
    this.#title.textContent = 'Publishing';
    this.#title.focus();
  }

  #end(stop, failure) {
    stop();
    this.#publication = undefined;
    this.#view.replaceChildren(this.#form.element);
    this.#title.textContent = 'Publish';
    if (failure?.status === 401) this.#token.ask();
    if (failure) this.#form.showError(failureSentence(failure));
    this.#form.focus();
  }

  #publishing(publication) {
    const video = h('video', {
      autoplay: true,
      playsinline: true,
      'aria-label': 'What you publish',
    });
    video.muted = true;
    video.srcObject = publication.media;
    const chip = h('p', { class: 'chip', role: 'status' });
    const facts = h('p', { class: 'muted small' }, 'Waiting for the first figures.');
    const trouble = h('p', { class: 'notice', role: 'status', hidden: true });
    const plots = new Plots();
    const showState = () => {
      const { text, tone } = STATES[publication.state];
      say(chip, text, tone);
      trouble.hidden = !publication.failure;
      say(trouble, publication.failure ? failureSentence(publication.failure) : '');
    };
    publication.addEventListener('state', showState);
    publication.addEventListener('stats', ({ detail }) => {
      plots.add(detail);
      say(facts, factsOf(detail));
    });
    showState();
    return h(
      'div',
      { class: 'publishing' },
      h('div', { class: 'publishing-head' }, h('h3', {}, publication.stream), chip),
      h('div', { class: 'screen' }, video),
      facts,
      trouble,
      plots.element,
      h(
        'button',
        { type: 'button', class: 'stop', onclick: () => publication.close() },
        'Stop publishing',
      ),
    );
  }
}

const LIMITS = {
  bandwidth: 'the network allows no more',
  cpu: 'this machine can encode no more',
};

function factsOf(figures) {
  const layers = figures.layers.filter(({ flowing }) => flowing).length;
  return [
    figures.codecs.map(format.codec).join(' and '),
    format.resolution(figures),
    figures.framesPerSecond && `${Math.round(figures.framesPerSecond)} frames per second`,
    layers > 1 && `${layers} sizes`,
    LIMITS[figures.limit],
  ]
    .filter(Boolean)
    .join(' · ');
}

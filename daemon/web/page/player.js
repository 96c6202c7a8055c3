// A video of a stream with what there is to know and to choose about it.

import { watch } from '../../runnel.js';
import { h, say } from './elements.js';
import { watchingSentence } from './sentences.js';

const BUSY = new Set(['connecting', 'reconnecting', 'waiting']);
// There is something to hear and to see, or was a moment ago.
const PLAYS = new Set(['live', 'stalled', 'reconnecting']);

export class Player extends EventTarget {
  #sound = h('button', { type: 'button', 'aria-pressed': 'false' }, 'Turn sound on');
  #quality = h('select', { 'aria-label': 'Quality' });
  #qualityField = h('div', { class: 'quality', hidden: true }, this.#quality);
  #full = h('button', { type: 'button' }, 'Full screen');
  #veil = h('p', { class: 'veil', role: 'status' });
  #layers = '';
  video = h('video', { autoplay: true, playsinline: true });
  screen = h('div', { class: 'screen' }, this.video, this.#veil);
  controls = [this.#sound, this.#qualityField, this.#full];
  subscription;

  constructor(stream, { token }) {
    super();
    // Browsers play a video that is silent without being asked to.
    this.video.muted = true;
    this.video.setAttribute('aria-label', `Stream ${stream}`);
    this.#sound.onclick = () => this.#toggleSound();
    this.#quality.onchange = () => this.#choose();
    this.#full.onclick = () => this.#toggleFullScreen();
    this.subscription = watch(stream, { video: this.video, token });
    this.subscription.addEventListener('state', () => this.#show());
    this.subscription.addEventListener('stats', ({ detail }) => this.#take(detail));
    this.#show();
  }

  close() {
    this.subscription.close();
  }

  #show() {
    const { state, failure } = this.subscription;
    const text = watchingSentence(state, failure);
    this.#veil.hidden = text === '';
    say(this.#veil, text);
    this.#veil.toggleAttribute('data-busy', BUSY.has(state));
    this.#sound.hidden = !PLAYS.has(state);
    this.#full.hidden = !PLAYS.has(state);
    this.dispatchEvent(new Event('state'));
  }

  #take(figures) {
    this.#offer(figures.layers ?? []);
    // Where nothing comes through although all is connected, the server says why.
    if (this.subscription.state === 'live') {
      const why = figures.framesPerSecond ? '' : (figures.withheld ?? '');
      this.#veil.hidden = why === '';
      say(this.#veil, why);
    }
    this.dispatchEvent(new CustomEvent('stats', { detail: figures }));
  }

  #offer(layers) {
    const known = layers.map(({ rid, height }) => `${rid}:${height}`).join();
    this.#qualityField.hidden = layers.length < 2;
    if (known === this.#layers) return;
    this.#layers = known;
    const chosen = this.#quality.value;
    const sorted = [...layers].sort((a, b) => (b.height ?? 0) - (a.height ?? 0));
    this.#quality.replaceChildren(
      h('option', { value: '' }, 'Best quality'),
      ...sorted.map(({ rid, height }) =>
        h('option', { value: rid }, height ? `${height}p` : `Layer ${rid}`),
      ),
    );
    this.#quality.value = chosen;
  }

  #choose() {
    const rid = this.#quality.value;
    this.subscription.setLayers(rid ? { rid } : {}).catch(() => {});
  }

  #toggleSound() {
    this.video.muted = !this.video.muted;
    this.#sound.setAttribute('aria-pressed', String(!this.video.muted));
    this.#sound.textContent = this.video.muted ? 'Turn sound on' : 'Turn sound off';
    this.video.play().catch(() => {});
  }

  #toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.screen.requestFullscreen?.().catch(() => {});
  }
}

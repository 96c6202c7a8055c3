// What to publish: the name, the source, and how it is encoded.

import { sendableCodecs } from '../../runnel.js';
import { freshId, h, say } from './elements.js';
import * as format from './format.js';
import { hasCamera, SOURCES } from './sources.js';

const NAME = '[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,63}';

function field(label, control, hint) {
  const id = freshId('field');
  control.id = id;
  const parts = [h('label', { for: id }, label), control];
  if (hint) {
    const hintId = freshId('hint');
    control.setAttribute('aria-describedby', hintId);
    parts.push(h('p', { id: hintId, class: 'hint' }, hint));
  }
  return h('div', { class: 'field' }, ...parts);
}

function sourceChoice() {
  const options = SOURCES.map(({ value, title }) =>
    h('label', {}, h('input', { type: 'radio', name: 'source', value }), title),
  );
  const choice = h(
    'fieldset',
    {},
    h('legend', {}, 'Source'),
    h('div', { class: 'choices' }, ...options),
  );
  const choose = (source) => (choice.querySelector(`[value=${source}]`).checked = true);
  choose('pattern');
  hasCamera().then((has) => has && choose('camera'));
  return choice;
}

export class PublishForm {
  #name = h('input', {
    type: 'text',
    name: 'stream',
    required: true,
    pattern: NAME,
    maxlength: 64,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  #codec = h(
    'select',
    { name: 'codec' },
    h('option', { value: '' }, 'Automatic'),
    ...sendableCodecs().map((name) => h('option', { value: name }, format.codec(name))),
  );
  #simulcast = h('input', {
    type: 'checkbox',
    role: 'switch',
    name: 'simulcast',
    id: freshId('switch'),
  });
  #button = h('button', { class: 'primary' }, 'Publish');
  #error = h('p', { class: 'notice', role: 'alert', hidden: true });
  element;

  // onPublish({stream, source, codec, simulcast}), onName() while the name is typed.
  constructor({ onPublish, onName }) {
    this.#name.value = `studio-${Math.floor(Math.random() * 900 + 100)}`;
    this.#name.oninput = onName;
    this.element = h(
      'form',
      { novalidate: true },
      field('Stream name', this.#name, 'Letters, digits, “-”, “_” and “.”'),
      sourceChoice(),
      field('Video codec', this.#codec),
      h(
        'div',
        {},
        h(
          'div',
          { class: 'switch' },
          h('label', { for: this.#simulcast.id }, 'Simulcast'),
          this.#simulcast,
        ),
        h('p', { class: 'hint' }, 'Three sizes at once, so that each viewer gets one that suits.'),
      ),
      this.#error,
      this.#button,
    );
    this.element.onsubmit = (event) => {
      event.preventDefault();
      if (this.#isValid()) onPublish(this.#wishes());
    };
  }

  // undefined while what stands there is no name.
  get stream() {
    return this.#name.checkValidity() ? this.#name.value : undefined;
  }

  set isBusy(isBusy) {
    this.#button.disabled = isBusy;
    this.#button.textContent = isBusy ? 'Opening the source' : 'Publish';
  }

  // undefined takes it away.
  showError(text) {
    this.#error.hidden = !text;
    say(this.#error, text ?? '', 'bad');
  }

  focus() {
    this.#button.focus();
  }

  #isValid() {
    const isValid = this.#name.checkValidity();
    this.#name.setAttribute('aria-invalid', String(!isValid));
    this.showError(
      isValid
        ? undefined
        : 'A stream needs a name of letters, digits, “-”, “_” and “.” that begins with a letter ' +
            'or a digit.',
    );
    if (!isValid) this.#name.focus();
    return isValid;
  }

  #wishes() {
    const data = new FormData(this.element);
    return {
      stream: data.get('stream'),
      source: data.get('source'),
      codec: data.get('codec') || undefined,
      simulcast: data.has('simulcast'),
    };
  }
}

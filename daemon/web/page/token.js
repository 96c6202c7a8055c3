// The token that the server wants of this tab, and the form that asks for it.

import { h } from './elements.js';

const KEY = 'runnel-token';

export class Token extends EventTarget {
  #form;
  #field = h('input', {
    type: 'password',
    id: 'token-field',
    name: 'token',
    required: true,
    autocomplete: 'off',
    'aria-describedby': 'token-text',
  });

  // It stays in this tab, and goes with it.
  constructor(form) {
    super();
    this.#form = form;
    form.replaceChildren(
      h('h2', {}, 'This server wants a token'),
      h(
        'p',
        { id: 'token-text', class: 'muted small' },
        'Whoever runs it has given you one, or finds it under auth in runnel.yaml. ' +
          'It is kept in this tab only.',
      ),
      h('label', { for: 'token-field' }, 'Token'),
      h('div', { class: 'row' }, this.#field, h('button', { class: 'primary' }, 'Use it')),
    );
    form.onsubmit = (event) => {
      event.preventDefault();
      if (this.#field.value) this.#use(this.#field.value.trim());
    };
  }

  get value() {
    return sessionStorage.getItem(KEY) ?? undefined;
  }

  ask() {
    if (!this.#form.hidden) return;
    this.#form.hidden = false;
    this.#field.focus();
  }

  #use(value) {
    sessionStorage.setItem(KEY, value);
    this.#form.hidden = true;
    this.#field.value = '';
    this.dispatchEvent(new Event('change'));
  }
}

// The recipes in tabs (ARIA Authoring Practices: arrow keys move between tabs).

import { copyable } from './copyable.js';
import { h } from './elements.js';
import { recipes } from './recipes.js';

export class RecipeTabs {
  #tabs;
  #panel = h('div', { class: 'recipe', role: 'tabpanel', id: 'recipe' });
  #chosen = 0;
  #situation;

  constructor(element, situation) {
    this.#tabs = recipes(situation).map(({ title }, index) => {
      const tab = h('button', { type: 'button', role: 'tab', id: `tab-${index}` }, title);
      tab.setAttribute('aria-controls', 'recipe');
      tab.onclick = () => this.#choose(index);
      return tab;
    });
    const list = h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'Program' },
      ...this.#tabs,
    );
    list.onkeydown = (event) => this.#move(event);
    element.replaceChildren(
      h('h2', { id: 'recipes-title' }, 'Publish from another program'),
      list,
      this.#panel,
    );
    this.show(situation);
  }

  // {stream, hasToken}
  show(situation) {
    this.#situation = situation;
    this.#choose(this.#chosen);
  }

  #choose(index) {
    this.#chosen = index;
    this.#tabs.forEach((tab, other) => {
      tab.setAttribute('aria-selected', String(other === index));
      tab.tabIndex = other === index ? 0 : -1;
    });
    const { text, lines } = recipes(this.#situation)[index];
    this.#panel.setAttribute('aria-labelledby', `tab-${index}`);
    this.#panel.replaceChildren(
      h('p', {}, text),
      ...lines.map(([label, line]) => copyable(label, line)),
    );
  }

  #move(event) {
    const last = this.#tabs.length - 1;
    const to = {
      ArrowRight: this.#chosen === last ? 0 : this.#chosen + 1,
      ArrowLeft: this.#chosen === 0 ? last : this.#chosen - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#choose(to);
    this.#tabs[to].focus();
  }
}

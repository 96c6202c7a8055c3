// Bitrate, loss and round trip of a connection, with their last minute.

import { h } from './elements.js';
import { bitrate, milliseconds, percent } from './format.js';
import { Sparkline } from './sparkline.js';

const PLOTS = [
  { name: 'bitrate', title: 'Bitrate', format: bitrate, top: 100_000 },
  { name: 'loss', title: 'Loss', format: percent, top: 0.05 },
  { name: 'roundTrip', title: 'Round trip', format: milliseconds, top: 50 },
];

export class Plots {
  #plots = PLOTS.map((plot) => ({
    ...plot,
    figure: h('dd', {}, '–'),
    line: new Sparkline(plot.top),
  }));
  element = h(
    'dl',
    { class: 'plots' },
    ...this.#plots.map(({ title, figure, line }) =>
      h('div', { class: 'plot' }, h('dt', {}, title), figure, line.element),
    ),
  );

  add(figures) {
    for (const { name, format, figure, line } of this.#plots) {
      const [value, unit] = format(figures[name]);
      figure.replaceChildren(value, ' ', h('small', {}, unit));
      line.add(figures[name]);
    }
  }
}

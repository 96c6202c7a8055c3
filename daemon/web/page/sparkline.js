// The last minute of a figure as a small line. Its colours are those of the style sheet.

import { svg } from './elements.js';

const SAMPLES = 60;
const HEIGHT = 40;

export class Sparkline {
  #values = [];
  #top;
  #area = svg('path', { class: 'area' });
  #line = svg('path');
  #now = svg('path', { class: 'now' });
  element = svg(
    'svg',
    {
      class: 'sparkline',
      viewBox: `0 0 ${SAMPLES - 1} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    this.#area,
    svg('path', { class: 'base', d: `M0 ${HEIGHT}H${SAMPLES - 1}` }),
    this.#line,
    this.#now,
  );

  // A figure that stays below `top` is drawn against it, so that small noise looks small.
  constructor(top) {
    this.#top = top;
  }

  // undefined leaves a gap.
  add(value) {
    this.#values.push(value);
    if (this.#values.length > SAMPLES) this.#values.shift();
    this.#draw();
  }

  #draw() {
    const known = this.#values.filter((value) => value !== undefined);
    const top = Math.max(this.#top, ...known) * 1.08;
    const start = SAMPLES - this.#values.length;
    const runs = [[]];
    this.#values.forEach((value, index) => {
      if (value === undefined) runs.push([]);
      else runs.at(-1).push([start + index, HEIGHT - (value / top) * HEIGHT]);
    });
    const lines = runs.filter((run) => run.length > 0);
    const path = (run) => `M${run.map(([x, y]) => `${x} ${y.toFixed(2)}`).join('L')}`;
    this.#line.setAttribute('d', lines.map(path).join(''));
    this.#area.setAttribute(
      'd',
      lines.map((run) => `${path(run)}V${HEIGHT}H${run[0][0]}Z`).join(''),
    );
    const last = runs.at(-1).at(-1);
    this.#now.setAttribute('d', last ? `M${last[0]} ${last[1].toFixed(2)}h0` : '');
  }
}

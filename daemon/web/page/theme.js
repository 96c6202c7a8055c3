// Dark, light, or as the system has it.

import { h, svg } from './elements.js';

const KEY = 'runnel-theme';
const THEMES = ['automatic', 'light', 'dark'];

// A disc, half of it filled.
function icon() {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    svg('circle', {
      cx: 8,
      cy: 8,
      r: 6.2,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.6,
    }),
    svg('path', { d: 'M8 2a6 6 0 0 0 0 12z', fill: 'currentColor' }),
  );
}

export function themeButton(button) {
  const text = h('span');
  button.replaceChildren(icon(), text);
  let theme = localStorage.getItem(KEY) ?? THEMES[0];
  const show = () => {
    if (theme === 'automatic') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    text.textContent = { automatic: 'Auto', light: 'Light', dark: 'Dark' }[theme];
    button.setAttribute('aria-label', `Appearance: ${theme}`);
  };
  button.onclick = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(KEY, theme);
    show();
  };
  show();
}

// The test pattern is published in one tab, and seen and heard in another.

import assert from 'node:assert/strict';

import { toneOf } from '../tone.js';
import { becomes, colourAt, frames, pause, picture, publishPattern, withText } from '../visitor.js';

// Where test_pattern.js has the field that changes its colour each second, and its yellow bar.
const FIELD = [160 / 1280, 610 / 720];
const YELLOW = [270 / 1280, 60 / 720];

const nameOf = ([red, green, blue]) => {
  const strongest = Math.max(red, green, blue);
  const others = red + green + blue - strongest;
  if (strongest < 120 || others > 120) return 'none';
  return { [red]: 'red', [green]: 'green', [blue]: 'blue' }[strongest];
};

async function coloursSeen(video) {
  const seen = new Set();
  await becomes(async () => seen.add(nameOf(await colourAt(video, ...FIELD))).size >= 3, 'colours');
  return seen;
}

export default async function play(visitor) {
  const studio = await visitor.open();
  await publishPattern(studio, 'studio');
  await withText(studio, '.publishing .chip', 'Live');

  const viewer = await visitor.open();
  const watch = await viewer.waitForSelector('[data-stream=studio] .tonal');
  await watch.click();
  const video = await picture(viewer);
  await withText(viewer, '.stage .chip', 'Live');

  assert.deepEqual([...(await coloursSeen(video))].sort(), ['blue', 'green', 'red']);
  const [red, green, blue] = await colourAt(video, ...YELLOW);
  assert.ok(red > 190 && green > 160 && blue < 150, `yellow is ${[red, green, blue]}`);
  const before = await frames(video);
  await pause(2000);
  const shown = (await frames(video)) - before;
  assert.ok(shown > 20, `${shown} frames in 2 s`);

  await (await withText(viewer, '.stage button', 'Turn sound on')).click();
  await becomes(async () => {
    if (!visitor.canHear) return true;
    const { hertz, decibels } = await toneOf(video);
    return decibels > -60 && Math.abs(hertz - 440) < 12;
  }, 'a tone of 440 Hz');

  await becomes(
    () => viewer.$eval('.stage .plot dd', (figure) => /^\d.* [kM]bit\/s$/.test(figure.textContent)),
    'a bitrate',
  );
  // Statistics are asked for while the card can be seen.
  await viewer.$eval('[data-stream=studio]', (card) => card.scrollIntoView());
  await withText(viewer, '[data-stream=studio] .health', 'Everything flows well');
  await viewer.evaluate(() => scrollTo(0, 0));
  await visitor.screenshot(viewer, 'watching');
  await studio.bringToFront();
  await visitor.screenshot(studio, 'publishing');

  await (await withText(studio, '.publishing button', 'Stop publishing')).click();
  await withText(studio, '.publish h2', 'Publish');
  await viewer.waitForSelector('.stage .veil:not([hidden])');
  await viewer.waitForFunction(() => !document.querySelector('[data-stream=studio]'));
}

// Each codec that the page offers is published by it, and watched.

import { becomes, frames, picture, publishPattern, withText } from '../visitor.js';

export default async function play(visitor) {
  const studio = await visitor.open();
  const viewer = await visitor.open();
  const codecs = await studio.$$eval('[name=codec] option', (options) =>
    options.map(({ value, textContent }) => [value, textContent]).filter(([value]) => value),
  );
  console.log(`codecs ${codecs.map(([value]) => value)}`);
  for (const [codec, title] of codecs) {
    await studio.bringToFront();
    await publishPattern(studio, codec, { codec });
    await withText(studio, '.publishing .chip', 'Live');
    await withText(viewer, `[data-stream=${codec}] .facts li`, `${title} and Opus`);
    await viewer.bringToFront();
    await viewer.$eval(`[data-stream=${codec}] .tonal`, (button) => button.click());
    const video = await picture(viewer);
    await becomes(async () => (await frames(video)) > 20, `20 frames of ${codec}`);
    await (await withText(viewer, '.stage button', 'Close')).click();
    await studio.bringToFront();
    await (await withText(studio, '.publishing button', 'Stop publishing')).click();
    await withText(studio, '.publish h2', 'Publish');
  }
}

// A viewer of a simulcast publication takes the smallest size, and then the largest again.

import { becomes, frames, picture, publishPattern, withText } from '../visitor.js';

const heightOf = (video) => video.evaluate((element) => element.videoHeight);

async function choose(page, text) {
  const value = await page.$$eval(
    '.quality option',
    (options, start) => options.find((option) => option.textContent.startsWith(start))?.value,
    text,
  );
  await page.select('.quality select', value);
}

export default async function play(visitor) {
  const studio = await visitor.open();
  await publishPattern(studio, 'studio', { simulcast: true });
  await withText(studio, '.publishing .chip', 'Live');

  const viewer = await visitor.open();
  await (await viewer.waitForSelector('[data-stream=studio] .tonal')).click();
  const video = await picture(viewer);
  await viewer.waitForFunction(() => {
    const texts = [...document.querySelectorAll('.quality option')].map((o) => o.textContent);
    return ['Best quality', '720p', '360p', '180p'].every((text) => texts.includes(text));
  });
  await choose(viewer, '180p');
  await becomes(async () => (await heightOf(video)) === 180, 'a height of 180');
  const before = await frames(video);
  await becomes(async () => (await frames(video)) > before + 20, 'more frames');
  await choose(viewer, 'Best quality');
  await becomes(async () => (await heightOf(video)) === 720, 'a height of 720');
  await visitor.screenshot(viewer, 'layers');
}

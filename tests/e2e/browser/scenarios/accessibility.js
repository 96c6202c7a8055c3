// Every state of the page, dark and light, wide and narrow: can those use it who do not see it all?

import assert from 'node:assert/strict';

import { complaints } from '../accessible.js';
import { picture, publishPattern, withText } from '../visitor.js';

async function look(visitor, page, state) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    for (const width of [1280, 390, 360]) {
      await page.setViewport({ width, height: 800 });
      assert.deepEqual(await complaints(page), [], `${state}, ${scheme}, ${width} pixels wide`);
      if (width !== 360) await visitor.screenshot(page, `${state}-${scheme}-${width}`);
    }
  }
  await page.setViewport({ width: 1280, height: 900 });
}

export default async function play(visitor) {
  const page = await visitor.open();
  await withText(page, '.empty h2', 'Nothing is live yet');
  await look(visitor, page, 'empty');

  for (const title of ['GStreamer', 'ffmpeg']) {
    await (await withText(page, '[role=tab]', title)).click();
    await look(visitor, page, `recipe-${title.toLowerCase()}`);
  }

  await publishPattern(page, 'not a name');
  await withText(page, '.publish [role=alert]', 'A stream needs a name');
  await look(visitor, page, 'error');

  await publishPattern(page, 'studio');
  await (await page.waitForSelector('[data-stream=studio] .tonal')).click();
  await picture(page);
  await withText(page, '.publishing .chip', 'Live');
  await page.click('.share summary');
  await look(visitor, page, 'all');

  const theatre = await visitor.open('watch/studio', { width: 800, height: 450 });
  await picture(theatre);
  await look(visitor, theatre, 'theatre');
}

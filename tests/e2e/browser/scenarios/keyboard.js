// Publishing, watching and sharing without a mouse; wherever the focus is, it can be seen.

import assert from 'node:assert/strict';

import { picture, withText } from '../visitor.js';

// Of the element that has the focus.
function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    // Behind the last element comes the browser itself.
    if (element === document.body) return { name: '', text: '', isSeen: true };
    const places = [element, element.closest('label')].filter(Boolean);
    return {
      name: element.getAttribute('aria-label') ?? element.name ?? element.textContent,
      text: `${element.textContent} ${element.name ?? ''} ${element.value ?? ''}`,
      isSeen: places.some((place) => getComputedStyle(place).outlineStyle !== 'none'),
    };
  });
}

async function tabTo(page, pattern) {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const { name, text, isSeen } = await focused(page);
    assert.ok(isSeen, `the focus on ${name} cannot be seen`);
    if (pattern.test(`${name} ${text}`)) return;
  }
  throw new Error(`the keyboard does not reach ${pattern}`);
}

export default async function play(visitor) {
  const page = await visitor.open();
  await withText(page, '.empty h2', 'Nothing is live yet');
  await page.keyboard.press('Tab');
  assert.match((await focused(page)).text, /Skip to the streams/);

  await tabTo(page, /^stream/);
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.type('by-hand');
  await tabTo(page, /source/);
  for (let steps = 0; !/pattern/.test((await focused(page)).text) && steps < 3; steps += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await tabTo(page, /simulcast/);
  await tabTo(page, /^ ?Publish|Publish $/);
  await page.keyboard.press('Enter');
  await withText(page, '.publishing .chip', 'Live');

  await page.waitForSelector('[data-stream=by-hand]');
  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, /Watch by-hand/);
  await page.keyboard.press('Enter');
  await picture(page);
  await tabTo(page, /Turn sound on/);
  await page.keyboard.press('Space');
  assert.match((await focused(page)).text, /Turn sound off/);
  await tabTo(page, /Share this stream/);
  await page.keyboard.press('Enter');
  await tabTo(page, /Copy: Link/);

  await tabTo(page, /OBS/);
  await page.keyboard.press('ArrowRight');
  assert.match((await focused(page)).text, /GStreamer/);
  await page.keyboard.press('End');
  assert.match((await focused(page)).text, /ffmpeg/);

  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, /Close/);
  await page.keyboard.press('Enter');
  assert.match((await focused(page)).name, /Watch by-hand/);
}

// What goes wrong is said in sentences that tell what to do.

import assert from 'node:assert/strict';

import { publishPattern, withText } from '../visitor.js';

function buttonsSeen(page) {
  return page.$$eval('.controls button', (buttons) =>
    buttons.filter((button) => button.checkVisibility()).map((button) => button.textContent),
  );
}

export default async function play(visitor) {
  const first = await visitor.open();
  await publishPattern(first, 'studio');
  await withText(first, '.publishing .chip', 'Live');

  const second = await visitor.open('', { expected: /status of 409/ });
  await publishPattern(second, 'studio');
  await withText(second, '.publish [role=alert]', 'Somebody else publishes under this name');
  await visitor.screenshot(second, 'busy');

  await publishPattern(second, 'another');
  await withText(second, '.publishing .chip', 'Live');
  await (await withText(second, '.publishing button', 'Stop publishing')).click();
  await second.$eval('[value=camera]', (radio) => radio.click());
  await second.$eval('.publish form', (form) => form.requestSubmit());
  await withText(second, '.publish [role=alert]', 'This machine has no camera');
  await visitor.screenshot(second, 'no-camera');

  const viewer = await visitor.open('watch/nobody-is-here');
  await withText(viewer, '.veil', 'Nobody publishes this stream yet');
  assert.deepEqual(await buttonsSeen(viewer), [], 'there is nothing to hear or to see');
  await visitor.screenshot(viewer, 'waiting');
  await publishPattern(second, 'nobody-is-here');
  await viewer.waitForFunction(() => document.querySelector('.veil').hidden);
  assert.ok(await viewer.$eval('video', (video) => video.srcObject !== null));
  assert.deepEqual(await buttonsSeen(viewer), ['Turn sound on', 'Full screen']);
  await visitor.screenshot(viewer, 'no-longer-waiting');
}

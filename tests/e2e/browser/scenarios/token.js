// A server that wants a token: the page asks for it, and goes on once it has the right one.

import { picture, publishPattern, withText } from '../visitor.js';

async function give(page, token) {
  await page.waitForSelector('.token:not([hidden]) input');
  await page.type('.token input', token);
  await page.keyboard.press('Enter');
}

export default async function play(visitor) {
  const page = await visitor.open('', { expected: /status of 401/ });
  await withText(page, '.empty h2', 'The list cannot be shown');
  await withText(page, '.empty p', 'A token is needed.');
  await visitor.screenshot(page, 'token');
  await give(page, 'not-the-token-of-this-server');
  await withText(page, '.chip', 'Not let in');
  await withText(page, '.empty p', 'The token is not accepted.');

  await give(page, process.env.TOKEN);
  await withText(page, '.chip', 'Connected');
  await page.waitForFunction(() => document.querySelector('.token').hidden);
  await publishPattern(page, 'studio');
  await withText(page, '.publishing .chip', 'Live');

  const theatre = await visitor.open(`watch/studio#token=${process.env.TOKEN}`);
  await picture(theatre);
  const stranger = await visitor.open('watch/studio', { expected: /status of 401/ });
  await withText(stranger, '.veil', 'A token is needed.');
  const guesser = await visitor.open('watch/studio#token=not-the-token-of-this-server');
  await withText(guesser, '.veil', 'The token is not accepted.');
}

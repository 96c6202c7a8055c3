// The server dies and comes back: publisher and viewer go on by themselves.

import { becomes, frames, picture, publishPattern, withText } from '../visitor.js';

const EXPECTED = /ERR_CONNECTION_REFUSED|WebSocket connection|net::ERR/;

export default async function play(visitor) {
  const studio = await visitor.open('', { expected: EXPECTED });
  await publishPattern(studio, 'studio');
  await withText(studio, '.publishing .chip', 'Live');
  const viewer = await visitor.open('', { expected: EXPECTED });
  await (await viewer.waitForSelector('[data-stream=studio] .tonal')).click();
  const video = await picture(viewer);
  await becomes(async () => (await frames(video)) > 10, 'frames');

  console.log('live');
  await withText(viewer, '.server .chip', 'Connection lost');
  await withText(studio, '.publishing .chip', 'Reconnecting');
  await visitor.screenshot(viewer, 'server-lost');
  console.log('lost');

  await withText(viewer, '.server .chip', 'Connected');
  await withText(studio, '.publishing .chip', 'Live');
  await withText(viewer, '.stage .chip', 'Live');
  const before = await frames(video);
  await becomes(async () => (await frames(video)) > before + 20, 'frames again');
}

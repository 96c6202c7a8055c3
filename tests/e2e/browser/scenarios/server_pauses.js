// The server is silent for a while: ICE is restarted, and publisher and viewer go on in the sessions
// that they have.

import assert from 'node:assert/strict';

import { becomes, frames, picture, publishPattern, withText } from '../visitor.js';

export default async function play(visitor) {
  const studio = await visitor.open();
  const answers = [];
  studio.on('response', (response) => {
    const method = response.request().method();
    if (method !== 'GET') answers.push(`${method} ${response.status()}`);
  });
  await publishPattern(studio, 'studio');
  await withText(studio, '.publishing .chip', 'Live');
  const viewer = await visitor.open();
  await (await viewer.waitForSelector('[data-stream=studio] .tonal')).click();
  const video = await picture(viewer);
  await becomes(async () => (await frames(video)) > 10, 'frames');

  console.log('live');
  await withText(studio, '.publishing .chip', 'Reconnecting');
  await withText(viewer, '.stage .chip', 'Reconnecting');
  console.log('lost');
  await withText(studio, '.publishing .chip', 'Live');
  await withText(viewer, '.stage .chip', 'Live');
  const before = await frames(video);
  await becomes(async () => (await frames(video)) > before + 20, 'frames again');
  assert.deepEqual(answers, ['POST 201', 'PATCH 200']);
}

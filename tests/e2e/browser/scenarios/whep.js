// runnel.js by plain HTTP alone, as other pages use it: a viewer by WHEP is there before its
// publisher by WHIP, and both take leave.

import assert from 'node:assert/strict';

import { becomes, frames } from '../visitor.js';

// 'POST 201 /whep/studio' of each request to the stream, without the ids of sessions.
function answersOf(page) {
  const answers = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const [, protocol, stream] = pathname.match(/^\/(whip|whep)\/(\w+)/) ?? [];
    if (!protocol) return;
    answers.push(`${response.request().method()} ${response.status()} ${protocol} ${stream}`);
  });
  return answers;
}

function begin(page, how) {
  return page.evaluate(async (isPublisher) => {
    const { publish, watch } = await import('/runnel.js');
    const { testPattern } = await import('/web/page/test_pattern.js');
    const video = Object.assign(document.createElement('video'), { id: 'seen', muted: true });
    document.body.append(video);
    window.told = { states: [], stats: {}, ended: undefined };
    window.live = isPublisher
      ? publish('studio', { media: testPattern('studio').media })
      : watch('studio', { video, via: 'whep' });
    video.autoplay = true;
    window.live.addEventListener('state', ({ detail }) => told.states.push(detail.state));
    window.live.addEventListener('stats', ({ detail }) => (told.stats = detail));
    window.live.addEventListener('ended', ({ detail }) => (told.ended = detail));
  }, how === 'publish');
}

const told = (page) => page.evaluate(() => window.told);
const isIn = (page, state) =>
  becomes(async () => (await told(page)).states.at(-1) === state, `the state ${state}`);

async function leave(page) {
  await page.evaluate(() => window.live.close());
  assert.deepEqual(await becomes(async () => (await told(page)).ended, 'an end'), {});
  assert.equal((await told(page)).states.at(-1), 'ended');
}

export default async function play(visitor) {
  const viewer = await visitor.open('', { expected: /status of 409/ });
  const asked = answersOf(viewer);
  await begin(viewer, 'watch');
  await isIn(viewer, 'waiting');
  assert.equal(asked[0], 'POST 409 whep studio');

  const studio = await visitor.open();
  const published = answersOf(studio);
  await begin(studio, 'publish');
  await isIn(studio, 'live');
  await viewer.bringToFront();
  await isIn(viewer, 'live');
  const video = await viewer.$('#seen');
  await becomes(async () => (await frames(video)) > 30, '30 frames');
  const figures = await becomes(async () => {
    const { stats } = await told(viewer);
    return stats.bitrate > 0 && stats.width > 0 && stats;
  }, 'figures');
  assert.equal(figures.codecs.length, 2, `${figures.codecs}`);

  await leave(viewer);
  await becomes(() => asked.at(-1) === 'DELETE 200 whep studio', 'the end of the session');
  assert.equal(asked.filter((answer) => answer.startsWith('POST 201')).length, 1);
  await leave(studio);
  await becomes(() => published.length === 2, 'the end of the publication');
  assert.deepEqual(published, ['POST 201 whip studio', 'DELETE 200 whip studio']);
}

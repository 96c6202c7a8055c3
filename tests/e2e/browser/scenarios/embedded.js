// Another site has the player in a frame, by the lines that the page gives to copy.

import { createServer } from 'node:http';

import { frames, becomes, publishPattern, withText } from '../visitor.js';

const HEAD = '<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">';

async function serve(html) {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(HEAD + html);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://localhost:${server.address().port}/` };
}

export default async function play(visitor) {
  const page = await visitor.open();
  await publishPattern(page, 'studio');
  await (await page.waitForSelector('[data-stream=studio] .tonal')).click();
  await withText(page, '.stage .chip', 'Live');
  await page.click('.share summary');
  const code = await page.$$eval('.share code', (codes) => codes.at(-1).textContent);

  const { server, url } = await serve(code);
  try {
    visitor.allow(url);
    const elsewhere = await visitor.open(url);
    const frame = await (await elsewhere.waitForSelector('iframe')).contentFrame();
    const video = await frame.waitForSelector('video');
    await becomes(async () => (await frames(video)) > 20, '20 frames');
  } finally {
    server.close();
  }
}

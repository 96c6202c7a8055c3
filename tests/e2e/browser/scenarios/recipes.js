// The lines that the page gives to copy are run as they stand, and what they publish is watched.

import { spawn } from 'node:child_process';

import { becomes, frames, picture, withText } from '../visitor.js';

async function run(page, program) {
  await page.$eval(
    '[name=stream]',
    (field, name) => {
      field.value = name;
      field.dispatchEvent(new Event('input'));
    },
    program,
  );
  await (await withText(page, '[role=tab]', program)).click();
  const lines = await page.$$eval('.recipe code', (codes) => codes.at(-1).textContent);
  return spawn('bash', ['-c', lines], { detached: true, stdio: 'ignore' });
}

export default async function play(visitor) {
  const page = await visitor.open();
  for (const program of ['ffmpeg', 'GStreamer']) {
    const publisher = await run(page, program);
    try {
      await (await page.waitForSelector(`[data-stream=${program}] .tonal`)).click();
      const video = await picture(page);
      await becomes(async () => (await frames(video)) > 20, `20 frames of ${program}`);
    } finally {
      if (publisher.exitCode === null) process.kill(-publisher.pid);
    }
    await (await withText(page, '.stage button', 'Close')).click();
  }
}

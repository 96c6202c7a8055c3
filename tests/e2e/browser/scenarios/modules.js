// Modules of the page that are asked directly, for what no real stream brings about here.

import assert from 'node:assert/strict';

// What is said to hold a publisher back, reading by reading, each a second after the one before.
async function limits(page, { reason, estimate, bitrate, seconds = 8 }) {
  return page.evaluate(
    async (qualityLimitationReason, availableOutgoingBitrate, bits, count) => {
      const { Figures } = await import('/web/client/figures.js');
      const figures = new Figures();
      const realNow = performance.now;
      let second = 0;
      performance.now = () => second * 1000;
      const getStats = async () =>
        new Map([
          ['pair', { type: 'candidate-pair', state: 'succeeded', availableOutgoingBitrate }],
          [
            'sent',
            {
              type: 'outbound-rtp',
              kind: 'video',
              qualityLimitationReason,
              bytesSent: (second * bits) / 8,
              packetsSent: second,
            },
          ],
        ]);
      const said = [];
      for (; second < count; second += 1) {
        const { limit } = await figures.read({ getStats });
        said.push(limit ?? '');
      }
      performance.now = realNow;
      return said;
    },
    reason,
    estimate,
    bitrate,
    seconds,
  );
}

const never = (said) => said.every((limit) => limit === '');

async function figures(page) {
  const reason = 'bandwidth';
  assert.ok(never(await limits(page, { reason, bitrate: 500_000 })), 'nothing was measured');
  const room = { reason, bitrate: 500_000, estimate: 2_000_000 };
  assert.ok(never(await limits(page, room)), 'there is room for more');
  const full = { reason, bitrate: 900_000, estimate: 1_000_000 };
  assert.ok(never(await limits(page, { ...full, seconds: 5 })), 'it may find more yet');
  assert.equal((await limits(page, full)).at(-1), 'bandwidth');
  const slow = await limits(page, { reason: 'cpu', bitrate: 500_000 });
  assert.deepEqual([...new Set(slow)], ['cpu']);
  assert.ok(never(await limits(page, { ...full, reason: 'none' })));
}

async function embedding(page) {
  const name = 'a"><script>alert(1)</script>&';
  const titles = await page.evaluate(async (stream) => {
    const { embedCode } = await import('/web/page/share.js');
    const { body } = new DOMParser().parseFromString(embedCode(stream), 'text/html');
    return [...body.children].map((element) => element.title);
  }, name);
  assert.deepEqual(titles, [name], 'a name is no markup');
}

export default async function play(visitor) {
  const page = await visitor.open('', { expected: /inline style/ });
  await figures(page);
  await embedding(page);
}

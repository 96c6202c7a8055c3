// A browser whose tabs do what standard input says: directed.js chrome|firefox [ARGUMENT...]
//
// Lines of JSON: {"id": 1, "tab": "viewer", "call": "watch", "with": [...]} calls what peers.js
// exports, in a tab that is opened when first named; {"id": 2, "tab": "viewer", "close": true}
// closes it, and "front" instead brings it to the front. Each is answered by a line
// "answer {...}". The browser ends with the input.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { launch } from './browsers.js';

const FOLDER = fileURLToPath(new URL('peers', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

// The pages have an origin of their own, in whichever network namespace this runs.
async function serve() {
  const server = createServer(async ({ url }, response) => {
    try {
      const content = await readFile(path.join(FOLDER, path.basename(url)));
      response.setHeader('Content-Type', TYPES[path.extname(url)]);
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

const [name, ...args] = process.argv.slice(2);
const { server, origin } = await serve();
const browser = await launch(name, { args });
const tabs = new Map();

async function open(tab) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(`${tab}: ${error.message}`));
  page.on('console', (message) => console.log(`${tab}: ${message.text()}`));
  await page.goto(`${origin}/peers.html`);
  await page.waitForFunction(() => window.peers !== undefined);
  return page;
}

async function obey({ tab, call, close, front, with: values = [] }) {
  if (!tabs.has(tab)) tabs.set(tab, open(tab));
  const page = await tabs.get(tab);
  if (close) {
    tabs.delete(tab);
    return page.close();
  }
  if (front) return page.bringToFront();
  return page.evaluate((name, given) => window.peers[name](...given), call, values);
}

process.on('SIGTERM', () => browser.close().finally(() => process.exit()));
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  obey(order).then(
    (value) => console.log(`answer ${JSON.stringify({ id: order.id, value })}`),
    (error) => console.log(`answer ${JSON.stringify({ id: order.id, error: error.message })}`),
  );
}
await browser.close();
server.close();

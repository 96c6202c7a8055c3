// Somebody who uses the page of runneld: opens it in tabs, looks, and remembers what went wrong.

import path from 'node:path';

import { launch } from './browsers.js';

const PATIENCE_MS = 30000;
// Hidden tabs show no frames by which puppeteer could ask again.
const POLLING = { polling: 100 };

export class Visitor {
  #browser;
  #base;
  #screenshots;
  #allowed = ['blob:', 'data:'];
  // What no page should do: errors on the console, requests to elsewhere.
  faults = [];
  // Firefox needs a sound card for its Web Audio.
  canHear;

  static async to(base, { name = 'chrome', screenshots, args } = {}) {
    const visitor = new Visitor();
    visitor.#browser = await launch(name, { args });
    visitor.#base = base;
    visitor.canHear = name !== 'firefox';
    visitor.allow(base);
    visitor.#screenshots = screenshots;
    return visitor;
  }

  // `expected`: a pattern of console errors that belong to what is tested.
  async open(where = '', { width = 1280, height = 900, expected } = {}) {
    const page = await this.#browser.newPage();
    page.on('console', (message) => {
      const isFault = ['error', 'warn', 'warning'].includes(message.type());
      if (isFault && !expected?.test(message.text())) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!this.#allowed.some((start) => url.startsWith(start)))
        this.faults.push(`it asks for ${url}`);
    });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setViewport({ width, height });
    await page.goto(new URL(where, this.#base).href);
    return page;
  }

  // Pages may ask for what lies there.
  allow(url) {
    this.#allowed.push(url);
  }

  async screenshot(page, name) {
    if (!this.#screenshots) return;
    await page.screenshot({ path: path.join(this.#screenshots, `${name}.png`), fullPage: true });
  }

  async screenshotAll(name) {
    const pages = await this.#browser.pages();
    for (const [index, page] of pages.entries()) {
      await page.bringToFront();
      await this.screenshot(page, `${name}-${index}`);
    }
  }

  async leave() {
    await this.#browser.close();
  }
}

// An element whose text begins so.
export function withText(page, selector, text) {
  return page.waitForFunction(
    (query, start) =>
      [...document.querySelectorAll(query)].find((element) =>
        element.textContent.trim().startsWith(start),
      ),
    POLLING,
    selector,
    text,
  );
}

export async function publishPattern(page, stream, { codec = '', simulcast = false } = {}) {
  await page.waitForSelector('.publish form');
  await page.$eval(
    '[name=stream]',
    (field, name) => {
      field.value = name;
      field.dispatchEvent(new Event('input'));
    },
    stream,
  );
  await page.$eval('[value=pattern]', (radio) => radio.click());
  if (simulcast) await page.$eval('[name=simulcast]', (toggle) => toggle.click());
  await page.select('[name=codec]', codec);
  await page.$eval('.publish form', (form) => form.requestSubmit());
}

// The video that is watched, once it has a picture.
export function picture(page) {
  return page.waitForFunction(() => {
    const element = document.querySelector('.stage video, .theatre video');
    return element?.videoWidth > 0 && element.currentTime > 0 ? element : undefined;
  }, POLLING);
}

// [red, green, blue] at a place that is given as parts of width and height.
export function colourAt(video, x, y) {
  return video.evaluate(
    (element, left, top) => {
      const { videoWidth: width, videoHeight: height } = element;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(element, 0, 0, width, height);
      return [...context.getImageData(left * width, top * height, 1, 1).data.slice(0, 3)];
    },
    x,
    y,
  );
}

// How many pictures have been shown since this was first asked.
export function frames(video) {
  return video.evaluate((element) => {
    const count = () => {
      element.framesShown = (element.framesShown ?? -1) + 1;
      element.requestVideoFrameCallback(count);
    };
    if (element.framesShown === undefined) count();
    return element.framesShown;
  });
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Asks until it is so.
export async function becomes(ask, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what} has not come true`);
    await pause(100);
  }
}

// Opens a page, and prints what it says on its console: open_page.js chrome|firefox URL

import puppeteer from 'puppeteer-core';

const browsers = {
  chrome: {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--ignore-certificate-errors',
    ],
  },
  firefox: {
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'extensions.update.enabled': false,
      'media.gmp-manager.updateEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  },
};

const [name, url] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: name, headless: true, ...browsers[name] });
const page = await browser.newPage();
page.on('console', (message) => console.log(message.text()));
page.on('pageerror', (error) => console.log(`error ${error.message}`));
await page.goto(url);

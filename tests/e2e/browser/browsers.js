// The browsers as tests start them: quiet, and with fake cameras.

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
      '--autoplay-policy=no-user-gesture-required',
    ],
  },
  firefox: {
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'extensions.update.enabled': false,
      'media.autoplay.blocking_policy': 0,
      'media.autoplay.default': 0,
      'media.gmp-manager.updateEnabled': false,
      'media.navigator.permission.disabled': true,
      'media.navigator.streams.fake': true,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  },
};

// `name` is chrome or firefox.
export function launch(name, { args = [] } = {}) {
  const settings = browsers[name];
  return puppeteer.launch({
    browser: name,
    headless: true,
    ...settings,
    args: [...(settings.args ?? []), ...args],
  });
}

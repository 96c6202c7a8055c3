// Opens a page, and prints what it says on its console: open_page.js chrome|firefox URL

import { launch } from './browsers.js';

const [name, url] = process.argv.slice(2);
const browser = await launch(name);
const page = await browser.newPage();
page.on('console', (message) => console.log(message.text()));
page.on('pageerror', (error) => console.log(`error ${error.message}`));
await page.goto(url);

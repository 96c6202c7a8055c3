// Plays a scenario on the page of runneld: visit.js SCENARIO URL [SCREENSHOTS [chrome|firefox]]
//
// Prints "done", or what has gone wrong.

import { mkdirSync } from 'node:fs';

import { Visitor } from './visitor.js';

const [scenario, base, screenshots, name] = process.argv.slice(2);
if (screenshots) mkdirSync(screenshots, { recursive: true });
const { default: play, args } = await import(`./scenarios/${scenario}.js`);
const visitor = await Visitor.to(base, { name, screenshots, args });
process.on('SIGTERM', () => visitor.leave());
try {
  await play(visitor);
  if (visitor.faults.length > 0) throw new Error(visitor.faults.join('\n'));
  console.log('done');
} catch (error) {
  await visitor.screenshotAll(`failed-${scenario}`);
  console.log(`failed: ${error.stack}`);
} finally {
  await visitor.leave();
}

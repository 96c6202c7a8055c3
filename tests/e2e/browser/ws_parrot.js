// The parrot on the WebSocket of npm's ws: ws_parrot.js URL HEARD SAID [CA-FILE]

import { readFileSync } from 'node:fs';

import WebSocket from 'ws';

import { parrot } from './parrot.js';

const [url, heard, said, certificate] = process.argv.slice(2);
const ca = certificate && readFileSync(certificate);
const socket = new WebSocket(url, 'runnel.v1', { ca, perMessageDeflate: true });
await parrot(socket, { heard, said, token: process.env.TOKEN });
console.log('ready');

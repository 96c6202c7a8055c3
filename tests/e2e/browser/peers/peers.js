// What a tab of a test can do: publish by WHIP, watch by WHEP, tell what it sends, sees and hears.

import * as senses from './senses.js';
import * as sources from './sources.js';

let connection;
let resource;
let video;
const shown = new Map(); // video elements by the id of their stream

async function exchange(url) {
  await connection.setLocalDescription();
  const answer = await post(url, connection.localDescription.sdp);
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  return answer;
}

const headers = { 'Content-Type': 'application/sdp' };

async function post(url, sdp) {
  const response = await fetch(url, { method: 'POST', headers, body: sdp });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  resource = new URL(response.headers.get('Location'), url).href;
  return text;
}

// Those of the name first, with what repairs them; all when there is no name.
function preferCodec(transceiver, codec) {
  if (!codec) return;
  const { codecs } = RTCRtpSender.getCapabilities('video');
  const wanted = codecs.filter(({ mimeType }) => mimeType.toUpperCase() === `VIDEO/${codec}`);
  const rtx = codecs.filter(({ mimeType }) => mimeType === 'video/rtx');
  transceiver.setCodecPreferences([...wanted, ...rtx]);
}

// By itself, Chromium makes one scalable encoding of VP9 and AV1.
const ONE_LAYER = { scalabilityMode: 'L1T1' };
const ENCODINGS = [
  { rid: 'l', scaleResolutionDownBy: 4, maxBitrate: 200_000, ...ONE_LAYER },
  { rid: 'm', scaleResolutionDownBy: 2, maxBitrate: 600_000, ...ONE_LAYER },
  { rid: 'h', maxBitrate: 2_000_000, ...ONE_LAYER },
];

function makeConnection() {
  connection = new RTCPeerConnection();
  connection.addEventListener('connectionstatechange', () =>
    console.log(connection.connectionState),
  );
  return connection;
}

// Answers what the server has answered.
export async function publish(url, { codec, simulcast = false, source = 'camera' } = {}) {
  const stream = await sources[source]();
  makeConnection();
  for (const track of stream.getTracks()) {
    const encodings = simulcast && track.kind === 'video' ? { sendEncodings: ENCODINGS } : {};
    const init = { direction: 'sendonly', streams: [stream], ...encodings };
    const transceiver = connection.addTransceiver(track, init);
    if (track.kind === 'video') preferCodec(transceiver, codec);
  }
  return exchange(url);
}

function play(stream) {
  video = document.createElement('video');
  video.autoplay = true;
  video.srcObject = stream;
  document.body.append(video);
  senses.watchFrames(video);
  return video.play();
}

function collectTracks() {
  const stream = new MediaStream();
  connection.addEventListener('track', ({ track }) => stream.addTrack(track));
  return stream;
}

export async function watch(url) {
  makeConnection();
  const stream = collectTracks();
  for (const kind of ['audio', 'video']) connection.addTransceiver(kind, { direction: 'recvonly' });
  const answer = await exchange(url);
  play(stream).catch((error) => console.log(`play: ${error.message}`));
  return answer;
}

// The other form of WHEP: the server offers.
export async function watchWhatIsOffered(url) {
  makeConnection();
  const stream = collectTracks();
  const offer = await post(url);
  await connection.setRemoteDescription({ type: 'offer', sdp: offer });
  await connection.setLocalDescription();
  const body = connection.localDescription.sdp;
  const answered = await fetch(resource, { method: 'PATCH', headers, body });
  play(stream).catch((error) => console.log(`play: ${error.message}`));
  return answered.status;
}

// By signalling: takes an offer of the server, on the one connection of this tab, and answers it.
export async function answer(offer) {
  if (!connection) {
    makeConnection();
    connection.addEventListener('track', ({ track, streams: [stream] }) => {
      if (track.kind === 'video') show(stream);
    });
  }
  await connection.setRemoteDescription({ type: 'offer', sdp: offer });
  await connection.setLocalDescription();
  return connection.localDescription.sdp;
}

function show(stream) {
  play(stream);
  shown.set(stream.id, video);
}

// The stream whose pictures and sound are asked for from now on; false: it has none yet.
export function lookAt(stream) {
  video = shown.get(stream);
  return video !== undefined;
}

export async function leave() {
  const response = await fetch(resource, { method: 'DELETE' });
  connection.close();
  return response.status;
}

// {"maxHeight": 360}, {"rid": "l"}
export async function chooseLayer(wish) {
  const response = await fetch(`${resource}/layer`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(wish),
  });
  return response.status;
}

export const colours = (places) => senses.colours(video, places);
export const tone = () => senses.tone(video.srcObject);
export const frames = () => senses.frames(video);
export const forgetFrames = () => senses.forgetFrames(video);
export const size = () => [video.videoWidth, video.videoHeight];

// What has been negotiated and what flows, in a few words.
export async function statistics() {
  const reports = [...(await connection.getStats()).values()];
  const all = (type, kind) =>
    reports.filter((report) => report.type === type && (!kind || report.kind === kind));
  const byId = (id) => reports.find((report) => report.id === id) ?? {};
  const [transport = {}] = all('transport');
  const pair = all('candidate-pair').find(({ nominated }) => nominated) ?? {};
  const remote = byId(pair.remoteCandidateId);
  const [inbound = {}] = all('inbound-rtp', 'video');
  const outbound = all('outbound-rtp', 'video');
  return {
    srtpCipher: transport.srtpCipher,
    remote: remote.address,
    protocol: remote.protocol,
    codec: byId(inbound.codecId ?? outbound[0]?.codecId).mimeType,
    framesDecoded: inbound.framesDecoded,
    repaired: inbound.retransmittedPacketsReceived,
    sentAgain: outbound[0]?.retransmittedPacketsSent,
    sent: Object.fromEntries(outbound.map((report) => [report.rid ?? '', report.framesEncoded])),
  };
}

// Publish and watch live streams of a Runnel server from any page: the module that others use.
//
//   import { publish, watch, streams } from 'https://relay.example.net/runnel.js';
//
//   const media = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
//   const publication = publish('camera-1', { media, simulcast: true });
//   publication.addEventListener('state', ({ detail }) => console.log(detail.state));
//
//   const subscription = watch('camera-1', { video: document.querySelector('video') });
//   subscription.setLayers({ max_height: 360 });
//
//   const list = streams();
//   list.addEventListener('change', () => console.log([...list.all.keys()]));
//
// Both keep themselves alive: a lost path is mended by an ICE restart, a lost server is tried
// again, longer from try to try, and a stream that nobody publishes yet is waited for. `close()`
// ends them.
//
// Options of both
//   server      where Runnel is; by default where this module has come from
//   token       sent as Bearer token; none by default
//   iceServers  as of RTCPeerConnection; the server tells its own
// Options of publish
//   media       a MediaStream. It stays yours: nothing stops its tracks
//   codec       VP8, VP9, H264, AV1 or H265, as sendableCodecs() has them; by default the
//               browser's first
//   simulcast   true: three sizes at once (rid h, m and l), of which each viewer gets one
// Options of watch
//   video       an element that shows it; or take `subscription.media` at each 'state' live
//   layers      {max_height: 360} or {rid: 'l'}; by default the best that flows
//   via         'websocket' (layers, waiting and reasons) or 'whep' (plain HTTP)
//
// Events of both; what is told stands in `detail`
//   state       {state, failure}: connecting, waiting (nobody publishes it yet), live, stalled (no
//               media comes), reconnecting, ended
//   stats       each second {bitrate, loss, roundTrip, width, height, framesPerSecond, frames,
//               codecs, layers}; of a subscription also `layer`, and `withheld`: why nothing is
//               sent to it
//   ended       {failure}, once; without a failure it was closed
//   A failure is an Error with a sentence as `message`, a `code` and an HTTP `status`
//   (core/signalling/PROTOCOL.md has them all).

import { Publication } from './web/client/publication.js';
import { Streams } from './web/client/streams.js';
import { Subscription } from './web/client/subscription.js';

export { sendableCodecs } from './web/client/media_settings.js';

const here = new URL('.', import.meta.url).href;

export function publish(stream, options) {
  return new Publication(stream, { server: here, ...options });
}

export function watch(stream, options) {
  return new Subscription(stream, { server: here, ...options });
}

// Events: 'change' of `all`, a Map of streams by name; 'state' of the connection. Options: server,
// token, and `prefix` of the names. statistics(stream, ms, callback) tells what the server counts.
export function streams(options) {
  return new Streams({ server: here, ...options });
}

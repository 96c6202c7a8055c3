// A stream that this page publishes, by WHIP.

import { HttpSession } from './http_session.js';
import { LiveObject } from './live_object.js';
import { addTracks } from './media_settings.js';
import { withStartBitrate } from './start_bitrate.js';

export class Publication extends LiveObject {
  constructor(stream, { server, token, media, codec, simulcast = false, iceServers }) {
    const endpoint = new URL(`whip/${encodeURIComponent(stream)}`, server);
    super(stream, {
      prepare: (connection) => addTracks(connection, media, { codec, simulcast }),
      session: () => new HttpSession(endpoint, token),
      adjust: withStartBitrate,
      iceServers,
    });
    this.media = media;
  }
}

// What a PeerConnection says of itself (getStats), as a few figures per second.

const ofKind = (reports, type, kind) =>
  reports.filter((report) => report.type === type && (!kind || report.kind === kind));
const sum = (reports, name) => reports.reduce((all, report) => all + (report[name] ?? 0), 0);

function codecsOf(reports, streams) {
  const byId = new Map(ofKind(reports, 'codec').map((codec) => [codec.id, codec]));
  const inOrder = [...streams].sort((a, b) => (a.kind < b.kind ? 1 : -1));
  const types = inOrder.map(({ codecId }) => byId.get(codecId)?.mimeType.split('/')[1]);
  return [...new Set(types.filter(Boolean))];
}

function roundTripOf(reports) {
  const reported = ofKind(reports, 'remote-inbound-rtp').map(({ roundTripTime }) => roundTripTime);
  const paths = ofKind(reports, 'candidate-pair')
    .filter(({ nominated, state }) => nominated || state === 'succeeded')
    .map(({ currentRoundTripTime }) => currentRoundTripTime);
  const seconds = [...reported, ...paths].find((time) => time !== undefined);
  return seconds === undefined ? undefined : seconds * 1000;
}

// Of what the network takes; undefined: the browser has none.
function estimateOf(reports) {
  const known = ofKind(reports, 'candidate-pair').map((pair) => pair.availableOutgoingBitrate);
  return known.find((bitrate) => bitrate !== undefined);
}

function largest(videos) {
  return videos.reduce(
    (best, report) => ((report.frameHeight ?? 0) > (best?.frameHeight ?? 0) ? report : best),
    videos[0],
  );
}

// What is sent fills the network when it takes so much of what the browser has measured, and the
// network is the limit when that lasts: browsers say 'bandwidth' also while they feel their way up
// from their first guess, and where nothing was measured.
const FULL = 0.7;
const LASTING = 5;

export class Figures {
  #before;
  #fullReadings = 0;

  // bitrate in bit/s, loss from 0 to 1, roundTrip in ms: undefined when nothing is known.
  async read(connection) {
    const reports = [...(await connection.getStats()).values()];
    const sent = ofKind(reports, 'outbound-rtp');
    const received = ofKind(reports, 'inbound-rtp');
    const isSender = sent.length > 0;
    const streams = isSender ? sent : received;
    const video = largest(streams.filter(({ kind }) => kind === 'video'));
    const now = {
      at: performance.now(),
      bytes: sum(streams, isSender ? 'bytesSent' : 'bytesReceived'),
      packets: sum(streams, isSender ? 'packetsSent' : 'packetsReceived'),
      isSender,
      lost: isSender
        ? sum(ofKind(reports, 'remote-inbound-rtp'), 'packetsLost')
        : sum(received, 'packetsLost'),
    };
    const before = this.#before;
    this.#before = now;
    const rates = before && this.#rates(before, now);
    return {
      ...rates,
      roundTrip: roundTripOf(reports),
      width: video?.frameWidth,
      height: video?.frameHeight,
      framesPerSecond: video?.framesPerSecond,
      frames: video?.framesDecoded ?? video?.framesEncoded,
      codecs: codecsOf(reports, streams),
      limit: this.#limit(sent, estimateOf(reports), rates?.bitrate),
      layers: sent
        .filter(({ rid, kind }) => rid && kind === 'video')
        .map(({ rid, frameHeight, active, framesPerSecond }) => ({
          rid,
          height: frameHeight,
          flowing: active !== false && (framesPerSecond ?? 0) > 0,
        })),
    };
  }

  #limit(sent, estimate, bitrate) {
    const reasons = sent.map(({ qualityLimitationReason: reason }) => reason);
    const reason = reasons.find((each) => each && each !== 'none');
    const isFull = reason === 'bandwidth' && bitrate > FULL * estimate;
    this.#fullReadings = isFull ? this.#fullReadings + 1 : 0;
    return reason === 'bandwidth' && this.#fullReadings < LASTING ? undefined : reason;
  }

  #rates(before, now) {
    const seconds = (now.at - before.at) / 1000;
    const packets = Math.max(0, now.packets - before.packets);
    const lost = Math.max(0, now.lost - before.lost);
    const sent = now.isSender ? packets : packets + lost;
    return {
      bitrate: (Math.max(0, now.bytes - before.bytes) * 8) / seconds,
      loss: sent > 0 ? Math.min(1, lost / sent) : undefined,
    };
  }
}

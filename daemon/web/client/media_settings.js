// How a published track is encoded: which codec, and in which sizes at once.

// From the smallest: browsers give their bandwidth to the first ones first. The mode keeps VP9 and
// AV1 from putting all layers into one stream (scalable video coding) instead.
const SIMULCAST = [
  { rid: 'l', scaleResolutionDownBy: 4, maxBitrate: 200_000, scalabilityMode: 'L1T1' },
  { rid: 'm', scaleResolutionDownBy: 2, maxBitrate: 700_000, scalabilityMode: 'L1T1' },
  { rid: 'h', scaleResolutionDownBy: 1, maxBitrate: 2_500_000, scalabilityMode: 'L1T1' },
];
const SINGLE = [{ maxBitrate: 2_500_000 }];
// What may stand beside the codec in an offer.
const COMPANIONS = new Set(['video/rtx', 'video/red', 'video/ulpfec']);

const nameOf = ({ mimeType }) => mimeType.split('/')[1].toUpperCase();

// Names of the video codecs that this browser can send, such as VP8 and H264.
export function sendableCodecs() {
  const codecs = RTCRtpSender.getCapabilities?.('video')?.codecs ?? [];
  const media = codecs.filter(({ mimeType }) => !COMPANIONS.has(mimeType.toLowerCase()));
  return [...new Set(media.map(nameOf))].filter((name) => /^(VP8|VP9|AV1|H26[45])$/.test(name));
}

export function addTracks(connection, media, { codec, simulcast }) {
  for (const track of media.getTracks()) {
    const isVideo = track.kind === 'video';
    const transceiver = connection.addTransceiver(track, {
      direction: 'sendonly',
      streams: [media],
      ...(isVideo && { sendEncodings: simulcast ? SIMULCAST : SINGLE }),
    });
    if (isVideo && codec) prefer(transceiver, codec);
  }
}

function prefer(transceiver, codec) {
  const { codecs } = RTCRtpSender.getCapabilities('video');
  const wanted = codecs.filter((entry) => nameOf(entry) === codec.toUpperCase());
  const companions = codecs.filter(({ mimeType }) => COMPANIONS.has(mimeType.toLowerCase()));
  transceiver.setCodecPreferences([...wanted, ...companions]);
}

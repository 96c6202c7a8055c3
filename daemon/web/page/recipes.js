// How other programs publish to this very server: lines that work as they stand.

// As in the README: what REST is told of a publication, and what the sender then uses.
function rest({ base, stream, key, ssrc }) {
  const body = `{"take_over": true, "tracks": [{"codec": "VP8/90000", "payload_type": 96, "ssrc": ${ssrc}}],
  "leg": {"srtp": {"suites": ["${SUITE}"], "key": "${key}"}}}`;
  return `ANSWER=$(curl -sS${base.token} --json '${body}' \\
  ${base.url}v1/streams/${stream}/publication)
PORT=$(grep -o '"port":[0-9]*' <<< "$ANSWER" | cut -d: -f2)
[ "$PORT" ] || echo "$ANSWER"
[ "$PORT" ] && `;
}

function randomKey(bytes) {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const KEY = randomKey(30);
// Publications on one port differ in it; some programs want it below 2^31.
const SSRC = 1 + Math.floor(Math.random() * 2 ** 30);
const SUITE = 'AES_CM_128_HMAC_SHA1_80';

function obs({ url, stream, hasToken }) {
  return {
    title: 'OBS',
    text:
      'OBS 30 and newer: in Settings, Stream, choose the service WHIP, and fill in ' +
      (hasToken ? 'this server and your token.' : 'this server. The bearer token stays empty.'),
    lines: [
      ['Server', `${url}whip/${stream}`],
      ...(hasToken ? [['Bearer token', 'YOUR-TOKEN']] : []),
    ],
  };
}

function gstreamer({ url, host, stream, hasToken, base }) {
  const token = hasToken ? ' \\\n    signaller::auth-token=YOUR-TOKEN' : '';
  return {
    title: 'GStreamer',
    text:
      'By WHIP with the Rust plugins of GStreamer 1.24 and newer; by SRTP with all others, such ' +
      'as those of Debian 12.',
    lines: [
      [
        'WHIP',
        `gst-launch-1.0 videotestsrc is-live=true ! videoconvert ! queue ! sink. \\
  audiotestsrc is-live=true ! audioconvert ! queue ! sink. \\
  whipclientsink name=sink signaller::whip-endpoint="${url}whip/${stream}"${token}`,
      ],
      [
        'SRTP',
        `${rest({ base, stream, key: base64(KEY), ssrc: SSRC })}
gst-launch-1.0 videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=30/1 \\
  ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=30 \\
  ! rtpvp8pay pt=96 ssrc=${SSRC} mtu=1200 picture-id-mode=15-bit \\
  ! srtpenc key=${hex(KEY)} ! udpsink host=${host} port=$PORT`,
      ],
    ],
  };
}

function ffmpeg({ host, stream, base }) {
  const key = base64(KEY);
  return {
    title: 'ffmpeg',
    text:
      'Any ffmpeg with libvpx, by SRTP: the first command tells the server what comes, ' +
      'the last one sends it.',
    lines: [
      [
        'SRTP',
        `${rest({ base, stream, key, ssrc: SSRC + 1 })}
ffmpeg -re -f lavfi -i testsrc2=s=640x360:r=30 \\
  -c:v libvpx -deadline realtime -cpu-used 8 -b:v 800k -g 30 \\
  -payload_type 96 -ssrc ${SSRC + 1} -f rtp -srtp_out_suite ${SUITE} -srtp_out_params ${key} \\
  "srtp://${host}:$PORT?pkt_size=1200&rtcpport=$PORT"`,
      ],
    ],
  };
}

export function recipes({ stream, hasToken }) {
  const url = new URL('.', document.baseURI).href;
  const base = { url, token: hasToken ? " -H 'Authorization: Bearer YOUR-TOKEN'" : '' };
  const host = location.hostname;
  return [obs, gstreamer, ffmpeg].map((make) => make({ url, host, stream, hasToken, base }));
}

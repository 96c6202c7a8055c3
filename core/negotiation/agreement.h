// What the two sides of an m-line have agreed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/negotiation/offer.h"
#include "core/rtp/codec.h"
#include "core/rtp/extension_kind.h"
#include "core/rtp/feedback_kinds.h"
#include "core/sdp/direction.h"

namespace runnel::negotiation {

struct AgreedMedium {
  std::size_t section = 0;  // index of the m-line, from 0
  std::string mid;
  /// As seen from here: recvonly is published to us, sendonly subscribed from us.
  sdp::Direction direction = sdp::Direction::recvonly;
  std::uint8_t payload_type = 0;
  /// The name as its RFC spells it ("opus", "VP8"). The fmtp describes the media: what the peer has
  /// said of its own abilities to receive is left out.
  rtp::Codec codec;
  std::optional<std::uint8_t> retransmission_payload_type;
  /// Of telephone events beside audio (RFC 4733), where the peer's offer has them.
  std::optional<std::uint8_t> event_payload_type;
  rtp::FeedbackKinds feedback;
  rtp::ExtensionIds extensions;
  /// Of a simulcast publication, at most kMaxRids.
  std::vector<std::string> rids;
  /// Of a publication, when they are announced.
  std::vector<AnnouncedSource> ssrcs;
};

/// What comes of it when `format` is taken of a peer's m-line. `ours`: recvonly or sendonly.
[[nodiscard]] AgreedMedium agree(const OfferedMedium& medium, const PayloadFormat& format,
                                 sdp::Direction ours);

/// Of formats that a peer takes, the one that suits the media best (codec_match.h), the peer's
/// first of equals; nullptr: none. Lives as long as `formats`.
[[nodiscard]] const PayloadFormat* most_suitable(std::span<const PayloadFormat> formats,
                                                 const rtp::Codec& sent);

/// The RTP stream that we send in an m-line.
struct SentSource {
  std::uint32_t ssrc = 0;
  std::optional<std::uint32_t> retransmission_ssrc;
  std::string canonical_name;  // CNAME
  std::string stream_id;       // of a=msid: what the browser groups tracks by
  std::string track_id;
};

/// An m-line of a description of ours.
struct LocalMedium {
  AgreedMedium agreed;
  std::optional<SentSource> source;  // with sendonly
};

/// Our side of the connection.
struct LocalTransport {
  std::string ufrag;
  std::string password;
  std::vector<std::string> fingerprints;  // "sha-256 4A:AD:..."
  /// All there are, each as after "a=candidate:".
  std::vector<std::string> candidates;
};

}  // namespace runnel::negotiation

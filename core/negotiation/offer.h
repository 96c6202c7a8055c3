// What a peer has said of itself: a checked view of its offer or answer, with nothing decided yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/negotiation/error.h"
#include "core/rtp/codec.h"
#include "core/rtp/extension_kind.h"
#include "core/rtp/feedback_kinds.h"
#include "core/sdp/description.h"
#include "core/sdp/direction.h"
#include "core/sdp/transport_attributes.h"

namespace runnel::negotiation {

/// Simulcast streams of one m-line; further ones are not accepted.
inline constexpr std::size_t kMaxRids = 4;
/// SSRCs of one m-line, without those of retransmissions; further ones are not read.
inline constexpr std::size_t kMaxSources = 8;
/// Characters of a MID or RID that fit into a one-byte header extension (RFC 8285 §4.2).
inline constexpr std::size_t kLongestId = 16;

/// The connection that all accepted m-lines share (BUNDLE).
struct PeerTransport {
  std::string ufrag;
  std::string password;
  std::vector<std::string> fingerprints;  // "sha-256 4A:AD:..."; one at least
  sdp::Setup setup = sdp::Setup::actpass;
};

/// One payload type of an m-line.
struct PayloadFormat {
  std::uint8_t payload_type = 0;
  rtp::Codec codec;  // name and fmtp as the peer wrote them
  rtp::FeedbackKinds feedback;
  std::optional<std::uint8_t> retransmission_payload_type;  // of RTX, by its apt
};

/// One a=extmap of a kind that is known here.
struct OfferedExtension {
  std::uint8_t id = 0;
  rtp::ExtensionKind kind{};
  /// As the peer sees it; nullopt: not said, both ways.
  std::optional<sdp::Direction> direction;
};

struct AnnouncedSource {
  std::uint32_t ssrc = 0;
  std::optional<std::uint32_t> retransmission_ssrc;  // a=ssrc-group:FID

  friend bool operator==(const AnnouncedSource&, const AnnouncedSource&) = default;
};

struct OfferedRid {
  std::string id;
  std::string restrictions;  // of a=rid
};

/// One m-line.
struct OfferedMedium {
  std::size_t index = 0;  // from 0
  std::size_t line = 0;
  std::string media;                  // "audio", "video", "application"
  std::string protocol;               // "UDP/TLS/RTP/SAVPF"
  std::vector<std::string> payloads;  // as in the m-line
  std::string mid;                    // may be empty when it is the only m-line
  /// Audio or video by RTP; nullopt: something else, such as a data channel.
  std::optional<rtp::MediaKind> kind;
  /// False: port 0 without bundle-only, or it does not share the connection, or it is no RTP. It is
  /// answered by port 0, for this reason.
  bool usable = false;
  std::string unusable_because;  // a sentence

  // Of a usable one.
  sdp::Direction direction = sdp::Direction::sendrecv;  // as the peer sees it
  /// In the peer's order, without RTX, RED, FEC and comfort noise.
  std::vector<PayloadFormat> formats;
  std::vector<OfferedExtension> extensions;
  std::vector<std::uint8_t> extension_ids;  // of all extensions, the unknown ones too
  /// Of a simulcast medium that the peer sends, in its order.
  std::vector<OfferedRid> rids;
  /// Of what the peer sends, in its order.
  std::vector<AnnouncedSource> ssrcs;
  std::string stream_id;  // of a=msid, as written; may be empty
  std::string track_id;
  bool reduced_size_rtcp = false;
  bool mixed_extensions = false;  // a=extmap-allow-mixed, here or for all
};

struct Offer {
  std::vector<OfferedMedium> media;
  PeerTransport transport;
  /// Whether it has a=group:BUNDLE. Without one, the first usable m-line is the only one.
  bool bundle = false;
  bool mixed_extensions = false;  // for the session as a whole
};

/// Of an offer by a browser or anything that speaks like one. Attributes of the session count for
/// all m-lines that do not have their own. Header extensions whose id means different things in
/// different m-lines of the bundle are left out of `extensions`, except MID and RIDs, since a peer
/// with one table for the connection would misread them.
[[nodiscard]] std::expected<Offer, Error> parse_offer(std::string_view text,
                                                      const sdp::Limits& limits = {});

/// The ids under which `medium`'s peer sends extensions to us, or wants them from us.
[[nodiscard]] rtp::ExtensionIds extensions_from_peer(const OfferedMedium& medium);
[[nodiscard]] rtp::ExtensionIds extensions_to_peer(const OfferedMedium& medium);

}  // namespace runnel::negotiation

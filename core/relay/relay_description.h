// A relay as the engine is told of it: one source leg, many receiver legs, everything checked and
// resolved beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/path.h"
#include "core/base/time.h"
#include "core/rtp/codec.h"
#include "core/rtp/extension_kind.h"
#include "core/rtp/feedback_kinds.h"
#include "core/srtp/master_key.h"
#include "core/transport/peer_description.h"

namespace runnel::relay {

using runnel::PortIndex;

/// A connection that carries a leg's packets as messages, by the number that whoever made the leg
/// gave it. Such a leg has no SRTP, no ports, no allow list and no latching: its connection has
/// been authenticated.
enum class ChannelId : std::uint32_t {};

/// The keys of an SDES leg. Without one, a leg is plain RTP.
struct SrtpSettings {
  srtp::Profile profile = srtp::Profile::aes_cm_128_hmac_sha1_80;
  /// Of the direction in which the media travels. Several keys are told apart by MKI on receiving;
  /// sending uses the first.
  std::vector<srtp::MasterKey> media_keys;
  /// Of the RTCP that travels against the media; empty means the same keys as the media.
  std::vector<srtp::MasterKey> reply_keys;
  std::size_t replay_window = 1024;
};

/// One RTP stream of a medium as the peer has announced it, besides what its packets tell.
struct AnnouncedSsrc {
  std::uint32_t ssrc = 0;
  std::optional<std::uint32_t> retransmission_ssrc;  // a=ssrc-group:FID
};

/// What a medium of a webrtc leg has agreed on (SDP). Its packets are told apart by MID and RID,
/// announced SSRCs and payload type, in this order, and known by their SSRC from then on.
struct WebRtcMedium {
  std::string mid;  // a=mid; at most 16 characters
  rtp::ExtensionIds extensions;
  rtp::FeedbackKinds feedback;
  std::optional<std::uint8_t> retransmission_payload_type;  // RFC 4588
  std::optional<std::uint8_t> event_payload_type;  // telephone events beside audio (RFC 4733)
  /// Of a source: the encodings of a simulcast medium, at most kMaxEncodings, in the order of
  /// a=simulcast; empty: one encoding without a RID. Each at most 16 characters.
  std::vector<std::string> rids;
  /// Of a source: those that it has announced. Of a receiver: at most one, under which it is sent
  /// to since it was told so before it agreed; otherwise they are drawn.
  std::vector<AnnouncedSsrc> ssrcs;
};

/// Encodings of one medium.
inline constexpr std::size_t kMaxEncodings = 4;

/// Which of a simulcast medium's encodings a receiver gets.
struct LayerWish {
  /// The best one of at most this height in pixels (the lowest one when all are higher); nullopt:
  /// the best that flows.
  std::optional<std::uint32_t> max_height;
  /// This one alone; empty: as above.
  std::string rid;

  friend bool operator==(const LayerWish&, const LayerWish&) = default;
};

/// Where a medium's RTP and RTCP meet the network on our side.
struct LocalPorts {
  PortIndex rtp{};
  /// A separate RTCP port; nullopt when both share `rtp` (RFC 5761). RTCP that arrives on `rtp` is
  /// accepted either way.
  std::optional<PortIndex> rtcp;
};

/// One medium of the source.
struct SourceMedium {
  std::string name;  // what receivers call it; unique within the leg
  rtp::Codec codec;
  std::uint8_t payload_type = 96;
  LocalPorts ports;
  /// Accept this SSRC alone; nullopt follows the newest authenticated one. On a shared port it is
  /// what the medium is known by (unless `remote` is), and no other leg there may have it.
  std::optional<std::uint32_t> ssrc;
  /// The rollover counter a new SSRC starts with.
  std::uint32_t rollover_counter = 0;
  /// On a shared port, for senders that cannot choose their SSRC: where its RTP comes from, by
  /// which the medium is known instead. Media of one leg may share it and are told apart by payload
  /// type.
  std::optional<SocketAddress> remote = std::nullopt;
  /// With `remote`: where its RTCP comes from; nullopt: the same address.
  std::optional<SocketAddress> rtcp_remote = std::nullopt;
  /// Of a leg with a peer.
  std::optional<WebRtcMedium> webrtc = std::nullopt;
};

struct SourceLeg {
  std::optional<SrtpSettings> srtp;
  /// Networks that may send; empty allows all.
  std::vector<IpNetwork> allow;
  std::vector<SourceMedium> media;
  /// Its packets come by `Engine::handle_messages`, and RTCP to it leaves as messages.
  std::optional<ChannelId> channel = std::nullopt;
  /// Its packets come by this peer of the Transports, and so does the RTCP to it: no SRTP keys,
  /// ports, allow list or latching of its own.
  std::optional<transport::PeerId> peer = std::nullopt;
};

enum class Latch : std::uint8_t {
  none,  // the destination is configured
  /// The address of the first authenticated packet, until the receiver says BYE, or is lost: it has
  /// reported and no longer does for EngineLimits::hold (25 s at least), or the network refuses it
  /// for EngineLimits::stall.
  first,
};

/// One medium to one receiver.
struct ReceiverMedium {
  /// Index into SourceLeg::media.
  std::size_t source = 0;
  std::uint8_t payload_type = 96;
  /// Pinned, or nullopt for a random one at each start (a static key must not meet the same SSRC
  /// twice).
  std::optional<std::uint32_t> ssrc;
  LocalPorts ports;
  /// nullopt when not resolved yet, or latched.
  std::optional<SocketAddress> rtp_destination;
  std::optional<SocketAddress> rtcp_destination;  // equals rtp_destination with rtcp-mux
  /// For a latching leg on a shared port: the SSRC under which its RTCP will come. One leg at most
  /// can wait on such a port without one; with one, which no other leg there may have, any number.
  std::optional<std::uint32_t> reply_ssrc = std::nullopt;
  /// Of a leg with a peer. SSRCs of media and retransmissions that WebRtcMedium::ssrcs does not
  /// name are drawn; Engine tells them.
  std::optional<WebRtcMedium> webrtc = std::nullopt;
  LayerWish layers = {};
};

struct ReceiverLeg {
  std::optional<SrtpSettings> srtp;
  std::vector<IpNetwork> allow;
  Latch latch = Latch::none;
  std::vector<ReceiverMedium> media;
  /// Its packets leave as messages.
  std::optional<ChannelId> channel = std::nullopt;
  /// Its packets leave by this peer of the Transports.
  std::optional<transport::PeerId> peer = std::nullopt;
};

struct RelayDescription {
  std::string stream;
  SourceLeg from;
  std::vector<ReceiverLeg> to;
};

/// Which medium of which receiver leg of which relay. Relays and the receivers of each are numbered
/// from 0 in the order in which they are added, as long as none is removed; a removed one's number
/// is given again later (see Engine). Media are numbered as described.
struct ReceiverMediumId {
  std::size_t relay = 0;
  std::size_t receiver = 0;
  std::size_t medium = 0;

  friend bool operator==(const ReceiverMediumId&, const ReceiverMediumId&) = default;
};

}  // namespace runnel::relay

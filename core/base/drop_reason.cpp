#include "core/base/drop_reason.h"

namespace runnel {
namespace {

struct Words {
  std::string_view name;
  std::string_view description;
};

constexpr std::array<Words, kDropReasonCount> kWords{{
    {"oversized", "too long for a packet buffer"},
    {"not_rtp", "neither RTP nor RTCP"},
    {"malformed", "malformed RTP or RTCP"},
    {"source_not_allowed", "from an address outside the allow list"},
    {"unknown_path", "from an address that no leg uses"},
    {"unknown_ssrc", "of an SSRC that is not expected"},
    {"unknown_payload_type", "of a payload type that is not configured"},
    {"authentication_failed", "failed authentication (wrong key or suite?)"},
    {"unknown_mki", "with a master key identifier that is not configured"},
    {"replayed", "seen before (duplicate or replay)"},
    {"too_old", "older than the replay window"},
    {"too_many_ssrcs", "of one SSRC too many"},
    {"key_expired", "after the end of the master key's lifetime"},
    {"not_nominated", "by a path that the peer has not chosen"},
    {"before_keys", "before the handshake was over"},
    {"probe", "without media (a probe of the path)"},
    {"duplicate_retransmission", "sent again although they had come"},
    {"superseded_source", "from a source that a newer one has replaced"},
    {"no_receiver", "without a receiver"},
    {"layer_not_watched", "of an encoding that nobody watches"},
    {"waiting_for_key_frame", "for a receiver that waits for a key frame"},
    {"no_destination", "for a receiver whose address is not known yet"},
    {"paused", "for a receiver that has paused"},
    {"slow_reader", "because the receiver reads too slowly"},
    {"too_long_to_protect", "too long once protected"},
    {"receive_buffer_full", "because the socket's receive buffer was full"},
    {"send_buffer_full", "because the socket's send buffer was full"},
    {"unreachable", "because the network cannot reach the receiver"},
    {"connection_closed", "because the receiver's connection was closed"},
    {"send_failed", "because the kernel refused to send"},
    {"queue_full", "because an internal queue was full"},
}};

}  // namespace

std::string_view to_string(DropReason reason) noexcept {
  return kWords[static_cast<std::size_t>(reason)].name;
}

std::string_view describe(DropReason reason) noexcept {
  return kWords[static_cast<std::size_t>(reason)].description;
}

}  // namespace runnel

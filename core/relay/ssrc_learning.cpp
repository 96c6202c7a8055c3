#include "core/relay/ssrc_learning.h"

#include <string_view>

#include "core/rtp/header_extension.h"

namespace runnel::relay {
namespace {

using rtp::ExtensionKind;
using Route = std::expected<SsrcRoute, DropReason>;

std::string_view text_of(ByteView bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Empty when the packet has no such element.
std::string_view element_of(const rtp::RtpPacketView& packet, std::uint8_t id) noexcept {
  if (id == 0 || !packet.has_extension()) return {};
  rtp::ExtensionReader reader(packet.extension_profile(), packet.extension_data());
  while (const auto element = reader.next()) {
    if (element->id == id) return text_of(element->data);
  }
  return {};
}

bool is_retransmission(const WebRtcMedium& medium, std::uint8_t payload_type) noexcept {
  return medium.retransmission_payload_type == payload_type;
}

bool has_payload_type(const SourceTrack& track, std::uint8_t payload_type) noexcept {
  const WebRtcMedium& medium = track.webrtc->agreed;
  return track.payload_type == payload_type || medium.event_payload_type == payload_type ||
         is_retransmission(medium, payload_type);
}

/// Of the medium whose first encoding this is, the one that the packet says it is of.
Route route_in(EngineState& state, const SourceTrack& first,
               const rtp::RtpPacketView& packet) noexcept {
  const WebRtcMedium& medium = first.webrtc->agreed;
  const std::uint8_t payload_type = packet.payload_type();
  if (!has_payload_type(first, payload_type)) {
    return std::unexpected(DropReason::unknown_payload_type);
  }
  const bool repairs = is_retransmission(medium, payload_type);
  if (medium.rids.size() <= 1) return SsrcRoute{packet.ssrc(), first.index, repairs};
  const std::string_view rid = element_of(
      packet, medium.extensions[repairs ? ExtensionKind::repaired_rid : ExtensionKind::rid]);
  for (const SourceTrack& encoding : state.encodings_beside(first)) {
    if (!rid.empty() && encoding.rid == rid) {
      return SsrcRoute{packet.ssrc(), encoding.index, repairs};
    }
  }
  return std::unexpected(DropReason::unknown_ssrc);
}

/// As the SDP announced it, where it did; in the order of the RIDs.
std::optional<SsrcRoute> announced(EngineState& state, const SourceTrack& first,
                                   std::uint32_t ssrc) noexcept {
  const WebRtcMedium& medium = first.webrtc->agreed;
  for (std::size_t i = 0; i < medium.ssrcs.size(); ++i) {
    const bool is_media = medium.ssrcs[i].ssrc == ssrc;
    if (!is_media && medium.ssrcs[i].retransmission_ssrc != ssrc) continue;
    const std::size_t encoding = medium.rids.size() > 1 ? i : 0;
    if (encoding >= first.encodings.size()) return std::nullopt;
    return SsrcRoute{ssrc, state.tracks[first.encodings[encoding]].index, !is_media};
  }
  return std::nullopt;
}

/// Calls `look` with the first encoding of each medium that the peer sends, until it answers
/// something.
template <typename Look>
auto find_medium(EngineState& state, const PeerLink& link, Look look) noexcept
    -> decltype(look(std::declval<const SourceTrack&>())) {
  for (const std::uint32_t relay : link.relays) {
    for (const SourceTrack& track : state.tracks_of(state.relays[relay])) {
      if (!track.webrtc) continue;
      if (auto found = look(track)) return found;
    }
  }
  return {};
}

/// nullptr when none or several have it.
const SourceTrack* only_one_with(EngineState& state, const PeerLink& link,
                                 std::uint8_t payload_type) noexcept {
  const SourceTrack* only = nullptr;
  std::size_t count = 0;
  static_cast<void>(find_medium(state, link, [&](const SourceTrack& track) -> const SourceTrack* {
    if (has_payload_type(track, payload_type) && ++count == 1) only = &track;
    return nullptr;
  }));
  return count == 1 ? only : nullptr;
}

/// What names a medium that is not there will not name it for ever.
void close_route(PeerLink& link, std::uint32_t ssrc) noexcept {
  const SsrcRoute closed{.ssrc = ssrc, .track = SsrcRoute::kNowhere, .is_retransmission = false};
  if (link.routes.add(closed)) return;
  link.routes.forget_closed();
  static_cast<void>(link.routes.add(closed));
}

/// What the packet says by its MID; nullopt: nothing.
std::optional<Route> route_by_mid(EngineState& state, PeerLink& link,
                                  const rtp::RtpPacketView& packet) noexcept {
  bool names_one = false;
  const auto found =
      find_medium(state, link, [&](const SourceTrack& track) -> std::optional<Route> {
        const WebRtcMedium& medium = track.webrtc->agreed;
        const std::string_view mid = element_of(packet, medium.extensions[ExtensionKind::mid]);
        names_one = names_one || !mid.empty();
        if (mid.empty() || mid != medium.mid) return std::nullopt;
        return route_in(state, track, packet);
      });
  if (!found && names_one) {
    close_route(link, packet.ssrc());
    return std::unexpected(DropReason::unknown_ssrc);
  }
  // An encoding may be known by its SSRC, if not by its RID.
  const bool is_undecided = found && !*found && found->error() == DropReason::unknown_ssrc;
  return is_undecided ? std::nullopt : found;
}

/// `was_of_other`: the SSRC was that of a medium that is gone.
Route find_route(EngineState& state, PeerLink& link, const rtp::RtpPacketView& packet,
                 bool was_of_other) noexcept {
  if (const auto by_mid = route_by_mid(state, link, packet)) return *by_mid;
  const auto by_ssrc = find_medium(state, link, [&](const SourceTrack& track) {
    return has_payload_type(track, packet.payload_type()) ? announced(state, track, packet.ssrc())
                                                          : std::nullopt;
  });
  if (by_ssrc) return *by_ssrc;
  if (was_of_other) return std::unexpected(DropReason::unknown_ssrc);
  if (const SourceTrack* only = only_one_with(state, link, packet.payload_type())) {
    return route_in(state, *only, packet);
  }
  return std::unexpected(DropReason::unknown_payload_type);
}

}  // namespace

Route route_of(EngineState& state, PeerLink& link, const rtp::RtpPacketView& packet) noexcept {
  const auto known = link.routes.find(packet.ssrc());
  if (known && known->track != SsrcRoute::kNowhere) return *known;
  const Route found = find_route(state, link, packet, known.has_value());
  if (!found) return found;
  if (!link.routes.add(*found)) {
    link.routes.forget_closed();
    if (link.routes.add(*found)) return found;
    // A peer that begins anew again and again leaves its old SSRCs behind.
    link.routes.forget(found->track, found->is_retransmission);
    if (!link.routes.add(*found)) return std::unexpected(DropReason::too_many_ssrcs);
  }
  return found;
}

}  // namespace runnel::relay

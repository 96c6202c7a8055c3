// What a PeerConnection remembers of each m-line and of the peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/local_description.h"
#include "core/negotiation/number_table.h"
#include "core/negotiation/offer.h"
#include "core/negotiation/subscription.h"

namespace runnel::negotiation {

/// A track that has not been agreed upon yet.
struct PendingTrack {
  Track track;
  SentSource source;
};

/// What the open offer says of an m-line.
enum class Said : std::uint8_t { nothing, sends, receives, is_idle };

struct SectionRecord {
  std::optional<rtp::MediaKind> kind;
  LocalSection ours;                // as we described it last; MID and media from the beginning
  bool settled = false;             // both sides have it
  bool peer_receives = true;        // it may be used to send something
  std::optional<LocalMedium> flow;  // what is agreed
  std::optional<PendingTrack> pending;
  bool ending = false;  // the flow ends with the next offer
  Said said = Said::nothing;

  [[nodiscard]] bool is_free() const noexcept { return !flow && !pending && !ours.rejected; }
  /// Whether an offer of the peer has taken the place of what was to be sent.
  [[nodiscard]] bool is_blocked() const noexcept {
    return pending && (flow || ours.rejected || !peer_receives);
  }
};

struct PeerConnectionState {
  std::uint64_t session_id = 0;
  std::uint64_t version = 0;  // of our descriptions
  std::uint32_t generation = 0;
  bool is_offer_open = false;
  std::vector<SectionRecord> sections;  // settled ones first
  std::size_t next_mid = 0;
  NumberTable numbers;
  std::optional<PeerTransport> peer;
  std::optional<sdp::Setup> our_setup;
  bool mixed_extensions = false;

  [[nodiscard]] SectionRecord* find(std::string_view mid) noexcept;
  [[nodiscard]] std::size_t settled_count() const noexcept;
  /// Drops m-lines that the peer has not heard of and that are for nothing any more.
  void forget_unknown();
  /// A MID that no m-line has had.
  [[nodiscard]] std::string draw_mid();
  /// An m-line for media that we send: a free one, one that was rejected, or a new one; nullptr:
  /// none is left. `kMost`: how many there may be.
  [[nodiscard]] SectionRecord* place_for(rtp::MediaKind kind, std::size_t most);
};

}  // namespace runnel::negotiation

// Protects what goes into the outbox, many packets together.
#pragma once

#include <array>

#include "core/relay/datagram_owner.h"
#include "core/relay/engine_state.h"
#include "core/relay/outbox.h"

namespace runnel::relay {

/// A packet whose clear header stands at the front of the outbox's next slot.
struct Draft {
  DatagramOwner owner;
  srtp::Sender* sender = nullptr;  // nullptr: stays clear
  srtp::PacketKind kind = srtp::PacketKind::rtp;
  PortIndex port{};
  SocketAddress destination;
  std::optional<ChannelId> channel = std::nullopt;  // instead of port and destination; stays clear
  std::uint8_t medium = 0;                          // of its leg, when there is a channel
  std::size_t header_size = 0;
  ByteView payload;  // behind the header in the slot, or elsewhere
};

/// Takes drafts until enough have come together for the wide kernels, seals them, and counts what
/// was sent and what could not be. `finish` before the outbox is looked at, and nothing after it.
class Sealer {
 public:
  Sealer(EngineState& state, Outbox& outbox) noexcept : state_(state), outbox_(outbox) {}

  /// The outbox must not be full.
  void add(const Draft& draft) noexcept;
  void finish() noexcept;

 private:
  static constexpr std::size_t kGroup = 48;

  void add_clear(const Draft& draft) noexcept;
  void seal() noexcept;
  void set_outcome(const srtp::ProtectJob& job, std::size_t datagram) noexcept;
  void count_sent(DatagramOwner owner, std::size_t size) noexcept;
  void count_failure(DatagramOwner owner, srtp::Error error) noexcept;

  EngineState& state_;
  Outbox& outbox_;
  std::array<srtp::ProtectJob, kGroup> jobs_;
  std::array<std::size_t, kGroup> datagrams_;  // of each job, in the outbox
  std::size_t count_ = 0;
  bool failed_ = false;
};

}  // namespace runnel::relay

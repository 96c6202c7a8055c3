// What happened to a stream that a person would want to read: changes of state, never single
// packets. Starts, restarts and ends by BYE are said a few times in a row at most, and then once a
// second for each medium (LifecycleNotices).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/base/address.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

/// The first packets of a medium's source, or of a new source after an end.
struct TrackStarted {
  std::size_t relay = 0;
  std::size_t medium = 0;
  std::uint32_t ssrc = 0;
  std::optional<SocketAddress> source;  // nullopt: it sends messages
};
/// The source came back under another SSRC, or was replaced, while its receivers kept theirs.
struct SourceRestarted {
  std::size_t relay = 0;
  std::size_t medium = 0;
  std::uint32_t old_ssrc = 0;
  std::uint32_t new_ssrc = 0;
  std::optional<SocketAddress> source;  // nullopt: it sends messages
};
/// Nothing arrived for EngineLimits::stall.
struct TrackStalled {
  std::size_t relay = 0;
  std::size_t medium = 0;
};
/// Packets flow again after a stall.
struct TrackResumed {
  std::size_t relay = 0;
  std::size_t medium = 0;
};
enum class EndReason : std::uint8_t { goodbye, silence };
/// The source said BYE or was detached, or was silent for EngineLimits::hold.
struct TrackEnded {
  std::size_t relay = 0;
  std::size_t medium = 0;
  EndReason reason = EndReason::goodbye;
};
/// A receiver without a configured address has shown where it is.
struct ReceiverLatched {
  ReceiverMediumId receiver;
  SocketAddress destination;
};
enum class LeaveReason : std::uint8_t {
  goodbye,
  silence,      // latched, and no longer reports
  unreachable,  // latched, and the network refuses it
};
/// A receiver said BYE, or a latched one is lost: somebody else can be latched.
struct ReceiverLeft {
  ReceiverMediumId receiver;
  LeaveReason reason = LeaveReason::goodbye;
};
/// The network refuses packets to a receiver; said once until a packet gets through again or its
/// RTCP arrives.
struct ReceiverUnreachable {
  ReceiverMediumId receiver;
};
/// First packets of a medium that fail authentication since the last good one; said once per source
/// address at most, so that a wrong key is visible at once.
struct AuthenticationFailing {
  std::size_t relay = 0;
  std::size_t medium = 0;
  SocketAddress source;
};
/// A sending key has reached the end of its lifetime; its receivers get nothing more.
struct KeyExpired {
  ReceiverMediumId receiver;
};

using Event = std::variant<TrackStarted, SourceRestarted, TrackStalled, TrackResumed, TrackEnded,
                           ReceiverLatched, ReceiverLeft, ReceiverUnreachable,
                           AuthenticationFailing, KeyExpired>;

}  // namespace runnel::relay

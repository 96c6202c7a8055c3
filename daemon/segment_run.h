// Which neighbouring datagrams can leave as one UDP_SEGMENT message.
#pragma once

#include <cstddef>
#include <span>

#include "core/relay/outbox.h"

namespace runnel::daemon {

/// The kernel's bounds for one message (UDP_MAX_SEGMENTS, and the longest UDP payload over IPv4).
inline constexpr std::size_t kMaxSegments = 64;
inline constexpr std::size_t kMaxSegmentedBytes = 65'507;

/// How many datagrams from the front share port, destination and size; the last of them may be
/// shorter. At least 1 unless `datagrams` is empty.
[[nodiscard]] std::size_t segment_run(std::span<const relay::OutgoingDatagram> datagrams) noexcept;

}  // namespace runnel::daemon

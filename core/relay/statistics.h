// The figures of a relay at one moment, as the statistics line and later the API show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

struct SourceMediumStatistics {
  std::string name;
  bool live = false;  // packets within the stall time
  std::uint32_t ssrc = 0;
  std::optional<SocketAddress> source;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // of clear RTP packets, headers included
  std::int64_t lost = 0;    // expected less received, since the source's start
  Duration jitter{};
  std::uint64_t restarts = 0;  // under another SSRC, and starts that were too many to be told
  std::uint64_t key_frame_requests = 0;  // sent to the source
  DropCounters drops;
};

struct ReceiverMediumStatistics {
  std::optional<SocketAddress> destination;
  std::uint32_t ssrc = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;               // of datagrams, as sent
  std::uint64_t key_frame_requests = 0;  // received from it
  std::uint64_t nacked_packets = 0;      // asked for again by it
  // From its last reception report; nullopt before the first.
  std::optional<double> fraction_lost;
  std::optional<Duration> round_trip;
  std::optional<Duration> jitter;
  DropCounters drops;
};

struct ReceiverStatistics {
  std::vector<ReceiverMediumStatistics> media;
  std::size_t receiver = 0;          // its number
  std::optional<ChannelId> channel;  // of a leg by message, which has no destination
  bool paused = false;
};

/// Of receivers that have been removed, so that a relay's sums never fall.
struct DepartedStatistics {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  DropCounters drops;
};

struct RelayStatistics {
  std::string stream;
  std::vector<SourceMediumStatistics> from;
  std::vector<ReceiverStatistics> to;  // by ascending number, without those that were removed
  DepartedStatistics departed;
  std::size_t relay = 0;             // its number
  bool has_source = true;            // false between detach_source and replace_source
  std::optional<ChannelId> channel;  // of a source leg by message
};

}  // namespace runnel::relay

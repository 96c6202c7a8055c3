// The figures of a relay at one moment, as the statistics line and later the API show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/frames/picture_size.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

/// Of one encoding of a medium by a peer.
struct EncodingStatistics {
  std::string rid;  // empty: the only one
  std::uint32_t ssrc = 0;
  bool flowing = false;
  std::optional<frames::PictureSize> picture_size;  // of video, when a key frame has told
  std::uint64_t bitrate = 0;                        // bits per second, over the last one
  std::uint64_t packets = 0;
  std::int64_t lost = 0;
  std::uint64_t nacked_packets = 0;  // asked for again
};

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
  std::uint64_t bitrate = 0;  // bits per second, over the last one, of all encodings
  std::optional<frames::PictureSize> picture_size;  // of the best that flows
  std::vector<EncodingStatistics> encodings;  // of a source by a peer; in the order of its RIDs
};

/// What holds a receiver up.
enum class Withheld : std::uint8_t {
  paused,
  no_destination,  // it cannot be reached, or not yet
  key_expired,
  source_is_silent,       // what it is to get, its source does not send
  waiting_for_key_frame,  // which has been asked for
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
  std::uint64_t retransmitted_packets = 0;
  std::string rid;       // of the encoding that it gets, if its source has several
  std::string next_rid;  // of the one that it waits for
  /// Why it gets nothing now; nullopt: nothing holds it up.
  std::optional<Withheld> withheld;
};

struct ReceiverStatistics {
  std::vector<ReceiverMediumStatistics> media;
  std::size_t receiver = 0;          // its number
  std::optional<ChannelId> channel;  // of a leg by message, which has no destination
  std::optional<transport::PeerId> peer;
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
  std::optional<transport::PeerId> peer;
};

}  // namespace runnel::relay

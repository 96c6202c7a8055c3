// The ways in which load is put on a forwarder, and what each of them measures.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/bench/relay/contender.h"
#include "tests/bench/relay/sink.h"

namespace runnel::bench {

/// What one run of a pattern has cost and delivered.
struct Run {
  std::uint64_t expected = 0;  // packets that all receivers together should get
  std::uint64_t arrived = 0;
  std::uint64_t overflowed = 0;    // lost by the sink, through no fault of the forwarder
  std::chrono::nanoseconds cpu{};  // of the forwarder
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds backlog{};  // from the last packet sent to the last that arrived

  [[nodiscard]] double ns_per_packet() const {
    return arrived == 0 ? 0 : static_cast<double>(cpu.count()) / static_cast<double>(arrived);
  }
  [[nodiscard]] double packets_per_second() const {
    return static_cast<double>(arrived) / std::chrono::duration<double>(elapsed).count();
  }
  [[nodiscard]] bool lossless() const { return arrived == expected; }
};

/// The highest rate that one forwarder keeps up with: nothing is lost, and no queue has grown that
/// takes more than a twentieth of the trial to work off.
struct Saturation {
  double rate = 0;               // packets per second to all receivers together
  bool generator_bound = false;  // the load generator, not the forwarder, was at its end
  Run run;                       // at that rate
};

/// From the source's send call to the arrival in the receiver's socket, all receivers together.
struct Latency {
  double rate = 0;  // packets per second out
  std::size_t samples = 0;
  std::chrono::nanoseconds median{};
  std::chrono::nanoseconds percentile_99{};
  std::chrono::nanoseconds percentile_99_9{};
};

/// A frame of `burst` packets back to back; the next one when all receivers have it.
[[nodiscard]] Run run_bursts(Contender& contender, Sink& sink, std::size_t burst,
                             std::chrono::nanoseconds duration);

/// Single packets at equal distances; `rate` is of packets to all receivers together.
[[nodiscard]] Run run_paced(Contender& contender, Sink& sink, double rate,
                            std::chrono::nanoseconds duration);

/// Halves the interval between a rate that is kept up with and one that is not. `guess` is what one
/// core might manage; each trial takes `duration`.
[[nodiscard]] Saturation find_saturation(Contender& contender, Sink& sink, double guess,
                                         std::chrono::nanoseconds duration);

[[nodiscard]] Latency measure_latency(Contender& contender, Sink& sink, double rate,
                                      std::chrono::nanoseconds duration);

}  // namespace runnel::bench

// Stands for all receivers at once: one socket for a whole network of loopback addresses, cheap
// enough to count what several forwarders' worth of load sends.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/bench/relay/udp_socket.h"

namespace runnel::bench {

/// One message from the kernel: a datagram, or a run of datagrams of one sender that
/// UDP_SEGMENT kept together all the way.
struct Arrival {
  ByteView bytes;                // what was kept of it: all, or its first bytes
  std::size_t datagrams = 0;     // RTP alone is counted; 0 for anything else
  std::size_t segment_size = 0;  // of each datagram but the last
  std::int64_t received_at = 0;  // CLOCK_REALTIME in ns, by the kernel; 0 without timestamps
};

/// Bound to one port of every local address. Receives without blocking.
class Sink {
 public:
  explicit Sink(std::uint16_t port);

  /// Keep whole datagrams instead of their first 64 bytes.
  void keep_whole(bool whole) noexcept;
  /// Ask the kernel when each message arrived.
  void keep_time(bool time) noexcept;

  /// What is waiting now, at most 32 messages; valid until the next call. Empty, without a look,
  /// within 20 us after the last look: a sink that never rests fights with the forwarder over the
  /// socket's lock, and the forwarder's CPU time pays for it.
  [[nodiscard]] std::span<const Arrival> receive() noexcept;
  /// The same, counted only.
  [[nodiscard]] std::size_t count() noexcept;
  /// Throws away what is still on its way, until nothing has come for 5 ms.
  void settle() noexcept;
  /// Datagrams that this socket itself had no room for, since it was opened.
  [[nodiscard]] std::uint64_t overflowed() const noexcept;

 private:
  static constexpr std::size_t kBatch = 32;
  static constexpr std::size_t kWhole = 65536;
  static constexpr std::size_t kHead = 64;

  struct Control {
    alignas(cmsghdr) std::array<std::uint8_t, 128> bytes{};
  };

  UdpSocket socket_;
  std::chrono::steady_clock::time_point rested_{};
  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(kBatch * kWhole);
  std::array<iovec, kBatch> vectors_{};
  std::array<mmsghdr, kBatch> messages_{};
  std::array<Control, kBatch> controls_{};
  std::array<Arrival, kBatch> arrivals_{};
};

}  // namespace runnel::bench

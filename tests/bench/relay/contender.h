// One forwarder under test, seen from outside: its process, and the media source that feeds it.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tests/bench/relay/setup.h"
#include "tests/bench/relay/srtp_evp.h"
#include "tests/bench/relay/udp_socket.h"

namespace runnel::bench {

/// Sends SRTP of 1200-byte payloads to the forwarder and reads its process's CPU time. Packets are
/// made ready beforehand, so that sending them takes one system call.
class Contender {
 public:
  static constexpr std::size_t kPayloadSize = 1200;
  static constexpr std::size_t kMaxBurst = 32;

  Contender(std::string name, pid_t process, const std::string& setup_file);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const Setup& setup() const noexcept { return setup_; }
  [[nodiscard]] std::size_t receivers() const noexcept { return setup_.receivers.size(); }
  /// CPU time of the whole process so far, kernel included; exact to the nanosecond.
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const;

  /// Makes the next `count` (1 to kMaxBurst) packets ready: one frame, the marker on its last.
  void prepare(std::size_t count);
  /// Sends them back to back.
  void send();
  /// Sequence number of the first packet that prepare has made.
  [[nodiscard]] std::uint16_t first_sequence() const noexcept { return first_sequence_; }
  /// The clear payload of each packet.
  [[nodiscard]] ByteView payload() const noexcept { return payload_; }

 private:
  static constexpr std::size_t kHeaderSize = 12;

  void send_one_by_one();

  std::string name_;
  Setup setup_;
  clockid_t cpu_clock_{};
  UdpSocket socket_;
  EvpSrtp srtp_;
  std::vector<std::uint8_t> payload_;
  std::vector<std::uint8_t> prepared_;  // packets without gaps
  std::size_t packet_size_ = 0;
  std::size_t prepared_count_ = 0;
  std::uint32_t ssrc_ = 0;
  std::uint32_t rtp_time_ = 0;
  std::uint16_t next_sequence_ = 1;
  std::uint16_t first_sequence_ = 0;
  bool segmentation_ = true;
};

}  // namespace runnel::bench

#include "tests/bench/relay/sink.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <linux/sock_diag.h>
#include <netinet/udp.h>

namespace runnel::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kRest(20);
constexpr int kBufferSize = 64 * 1024 * 1024;

/// The second byte of RTCP is 192 to 223 (RFC 5761 §4).
bool is_rtp(ByteView head) {
  return head.size() >= 12 && (head[0] & 0xC0) == 0x80 && (head[1] < 192 || head[1] > 223);
}

void read_control(msghdr& message, Arrival& arrival) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      int size = 0;
      std::memcpy(&size, CMSG_DATA(c), sizeof size);
      arrival.segment_size = static_cast<std::size_t>(size);
    } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
      timespec time{};
      std::memcpy(&time, CMSG_DATA(c), sizeof time);
      arrival.received_at = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
  }
}

}  // namespace

Sink::Sink(std::uint16_t port) : socket_(ipv4(INADDR_ANY, port), kBufferSize) {
  // Runs stay whole, so that the work of taking them apart is not charged to the sender's CPU time.
  (void)socket_.set(SOL_UDP, UDP_GRO, 1);
  for (std::size_t i = 0; i < kBatch; ++i) {
    vectors_[i].iov_base = memory_.data() + i * kWhole;
    messages_[i].msg_hdr.msg_iov = &vectors_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
    messages_[i].msg_hdr.msg_control = controls_[i].bytes.data();
  }
  keep_whole(false);
}

void Sink::keep_whole(bool whole) noexcept {
  for (iovec& vector : vectors_) vector.iov_len = whole ? kWhole : kHead;
}

void Sink::keep_time(bool time) noexcept {
  (void)socket_.set(SOL_SOCKET, SO_TIMESTAMPNS, time ? 1 : 0);
}

std::span<const Arrival> Sink::receive() noexcept {
  if (Clock::now() < rested_) return {};
  for (mmsghdr& message : messages_) message.msg_hdr.msg_controllen = sizeof(Control::bytes);
  const int received =
      ::recvmmsg(socket_.fd(), messages_.data(), kBatch, MSG_DONTWAIT | MSG_TRUNC, nullptr);
  const auto count = static_cast<std::size_t>(std::max(received, 0));
  if (count < kBatch) rested_ = Clock::now() + kRest;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = messages_[i].msg_len;
    Arrival& arrival = arrivals_[i];
    arrival = {};
    arrival.bytes = {static_cast<const std::uint8_t*>(vectors_[i].iov_base),
                     std::min(size, vectors_[i].iov_len)};
    arrival.segment_size = std::max(size, std::size_t{1});
    read_control(messages_[i].msg_hdr, arrival);
    arrival.datagrams =
        is_rtp(arrival.bytes) ? (size + arrival.segment_size - 1) / arrival.segment_size : 0;
  }
  return std::span(arrivals_).first(count);
}

std::size_t Sink::count() noexcept {
  std::size_t sum = 0;
  for (const Arrival& arrival : receive()) sum += arrival.datagrams;
  return sum;
}

void Sink::settle() noexcept {
  for (auto quiet_since = Clock::now();
       Clock::now() - quiet_since < std::chrono::milliseconds(5);) {
    if (!receive().empty()) quiet_since = Clock::now();
  }
}

std::uint64_t Sink::overflowed() const noexcept {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t size = sizeof memory;
  (void)::getsockopt(socket_.fd(), SOL_SOCKET, SO_MEMINFO, memory.data(), &size);
  return memory[SK_MEMINFO_DROPS];
}

}  // namespace runnel::bench

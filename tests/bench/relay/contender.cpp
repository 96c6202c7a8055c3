#include "tests/bench/relay/contender.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>

namespace runnel::bench {
namespace {

std::vector<std::uint8_t> random_payload() {
  std::random_device device;
  std::vector<std::uint8_t> payload(Contender::kPayloadSize);
  std::ranges::generate(payload, [&] { return static_cast<std::uint8_t>(device()); });
  payload[0] = 0x41;  // H.264: a slice that is no key frame (RFC 6184 §5.2)
  return payload;
}

}  // namespace

Contender::Contender(std::string name, pid_t process, const std::string& setup_file)
    : name_(std::move(name)),
      setup_(read_setup(setup_file)),
      socket_(ipv4(INADDR_LOOPBACK, 0), 4 * 1024 * 1024),
      srtp_(setup_.suite, setup_.source_key_and_salt),
      payload_(random_payload()),
      prepared_(kMaxBurst * (kHeaderSize + kPayloadSize + kMaxTagSize)),
      ssrc_(std::random_device{}()) {
  if (::clock_getcpuclockid(process, &cpu_clock_) != 0) {
    std::fprintf(stderr, "%s: process %d is not there\n", name_.c_str(), process);
    std::exit(1);
  }
  socket_.connect(setup_.listen);
}

std::chrono::nanoseconds Contender::cpu_time() const {
  timespec time{};
  if (::clock_gettime(cpu_clock_, &time) != 0) {
    std::fprintf(stderr, "%s: the process has ended\n", name_.c_str());
    std::exit(1);
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void Contender::prepare(std::size_t count) {
  prepared_count_ = count;
  first_sequence_ = next_sequence_;
  rtp_time_ += 3000;
  std::uint8_t* packet = prepared_.data();
  for (std::size_t i = 0; i < count; ++i, packet += packet_size_) {
    packet[0] = 0x80;
    packet[1] = static_cast<std::uint8_t>(96 | (i + 1 == count ? 0x80 : 0));
    store_be16(packet + 2, next_sequence_++);
    store_be32(packet + 4, rtp_time_);
    store_be32(packet + 8, ssrc_);
    copy_bytes({packet + kHeaderSize, kPayloadSize}, payload_);
    packet_size_ = srtp_.protect(packet, kHeaderSize + kPayloadSize);
  }
}

void Contender::send() {
  if (prepared_count_ == 1 || !segmentation_) return send_one_by_one();
  iovec vector{prepared_.data(), prepared_count_ * packet_size_};
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  SegmentControl control;
  control.attach(message, static_cast<std::uint16_t>(packet_size_));
  if (::sendmsg(socket_.fd(), &message, 0) >= 0) return;
  segmentation_ = false;
  send_one_by_one();
}

void Contender::send_one_by_one() {
  for (std::size_t i = 0; i < prepared_count_; ++i) {
    (void)::send(socket_.fd(), prepared_.data() + i * packet_size_, packet_size_, 0);
  }
}

}  // namespace runnel::bench

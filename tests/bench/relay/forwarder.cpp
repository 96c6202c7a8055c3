// The yardsticks: a relay as one writes it in a day, and better ones, all from the same 200 lines.
//
//   bench_forwarder evp|libsrtp|none  single|batch|segment  SETUP
//
// single: recvfrom and sendto. batch: recvmmsg and sendmmsg. segment: the same with UDP_SEGMENT.
// Prints "ready" when its port is bound and runs until it is killed.

#include <algorithm>
#include <cstdio>
#include <netinet/udp.h>
#include <string_view>
#include <vector>

#include "tests/bench/relay/protection.h"
#include "tests/bench/relay/srtp_evp.h"
#include "tests/bench/relay/udp_socket.h"

namespace runnel::bench {
namespace {

constexpr int kBufferSize = 4 * 1024 * 1024;   // of the socket, as runneld's by default
constexpr std::size_t kSlotSize = 1344;        // an odd multiple of 64, for 1200 bytes of media
constexpr std::size_t kReceiveBatch = 64;      // packets
constexpr std::size_t kSendBatch = 128;        // packets; their slots fit into a second-level cache
constexpr std::uint32_t kFirstSsrc = 0x10000;  // of the receiver with number 0

enum class Io : std::uint8_t { single, batch, segment };

struct Packet {
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
};

/// Sequence numbers of the source, moved so that they go on when another SSRC begins.
class SequenceTranslation {
 public:
  void apply(std::uint8_t* packet) {
    const std::uint32_t ssrc = load_be32(packet + 8);
    const std::uint16_t sequence = load_be16(packet + 2);
    if (ssrc != ssrc_) offset_ = static_cast<std::uint16_t>(last_ + 1 - sequence);
    ssrc_ = ssrc;
    last_ = static_cast<std::uint16_t>(sequence + offset_);
    store_be16(packet + 2, last_);
  }

 private:
  std::uint32_t ssrc_ = 0;
  std::uint16_t offset_ = 0;
  std::uint16_t last_ = 0;
};

class Forwarder {
 public:
  Forwarder(const Setup& setup, Protection& protection, Io io)
      : setup_(setup), protection_(protection), io_(io), socket_(setup.listen, kBufferSize) {
    for (std::size_t i = 0; i < kReceiveBatch; ++i) {
      receive_vectors_[i] = {in_.data() + i * kSlotSize, kSlotSize};
      incoming_[i].msg_hdr.msg_iov = &receive_vectors_[i];
      incoming_[i].msg_hdr.msg_iovlen = 1;
    }
  }

  [[noreturn]] void run() {
    for (;;) {
      if (io_ == Io::single) {
        receive_one();
      } else {
        receive_batch();
      }
      for (std::size_t receiver = 0; receiver < setup_.receivers.size(); ++receiver) {
        for (std::size_t i = 0; i < clear_count_; ++i) forward(receiver, clear_[i]);
      }
      flush();
    }
  }

 private:
  void receive_one() {
    const ssize_t size = ::recvfrom(socket_.fd(), in_.data(), kSlotSize, 0, nullptr, nullptr);
    clear_count_ = 0;
    if (size > 0) accept(in_.data(), static_cast<std::size_t>(size));
  }

  void receive_batch() {
    const int count =
        ::recvmmsg(socket_.fd(), incoming_.data(), kReceiveBatch, MSG_WAITFORONE, nullptr);
    clear_count_ = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(count, 0)); ++i) {
      accept(in_.data() + i * kSlotSize, incoming_[i].msg_len);
    }
  }

  void accept(std::uint8_t* data, std::size_t size) {
    const std::size_t clear = protection_.unprotect(data, size);
    if (clear == 0) return;
    translation_.apply(data);
    clear_[clear_count_++] = {data, clear};
  }

  void forward(std::size_t receiver, const Packet& clear) {
    if (out_count_ == kSendBatch) flush();
    std::uint8_t* out = out_.data() + out_count_ * kSlotSize;
    copy_bytes({out, clear.size}, {clear.data, clear.size});
    store_be32(out + 8, kFirstSsrc + static_cast<std::uint32_t>(receiver));
    const std::size_t size = protection_.protect(receiver, out, clear.size);
    const sockaddr_in& destination = setup_.receivers[receiver].destination;
    if (io_ == Io::single) {
      (void)::sendto(socket_.fd(), out, size, 0, reinterpret_cast<const sockaddr*>(&destination),
                     sizeof destination);
      return;
    }
    send_vectors_[out_count_++] = {out, size};
    if (io_ == Io::segment && extends_run(receiver, size)) {
      ++outgoing_[message_count_ - 1].msg_hdr.msg_iovlen;
      return;
    }
    begin_message(receiver, destination);
  }

  [[nodiscard]] bool extends_run(std::size_t receiver, std::size_t size) const {
    return message_count_ > 0 && run_receiver_ == receiver &&
           outgoing_[message_count_ - 1].msg_hdr.msg_iov->iov_len == size &&
           outgoing_[message_count_ - 1].msg_hdr.msg_iovlen < 48;
  }

  void begin_message(std::size_t receiver, const sockaddr_in& destination) {
    msghdr& header = outgoing_[message_count_++].msg_hdr;
    header = {};
    header.msg_name = const_cast<sockaddr_in*>(&destination);
    header.msg_namelen = sizeof destination;
    header.msg_iov = &send_vectors_[out_count_ - 1];
    header.msg_iovlen = 1;
    run_receiver_ = receiver;
  }

  void flush() {
    for (std::size_t i = 0; i < message_count_; ++i) {
      msghdr& header = outgoing_[i].msg_hdr;
      if (header.msg_iovlen > 1) {
        controls_[i].attach(header, static_cast<std::uint16_t>(header.msg_iov->iov_len));
      }
    }
    for (std::size_t sent = 0; sent < message_count_;) {
      const int count = ::sendmmsg(socket_.fd(), outgoing_.data() + sent,
                                   static_cast<unsigned>(message_count_ - sent), 0);
      sent += static_cast<std::size_t>(std::max(count, 1));
    }
    out_count_ = 0;
    message_count_ = 0;
  }

  const Setup& setup_;
  Protection& protection_;
  Io io_;
  UdpSocket socket_;
  SequenceTranslation translation_;
  std::vector<std::uint8_t> in_ = std::vector<std::uint8_t>(kReceiveBatch * kSlotSize);
  std::array<iovec, kReceiveBatch> receive_vectors_{};
  std::array<mmsghdr, kReceiveBatch> incoming_{};
  std::array<Packet, kReceiveBatch> clear_{};
  std::size_t clear_count_ = 0;
  std::vector<std::uint8_t> out_ = std::vector<std::uint8_t>(kSendBatch * kSlotSize);
  std::array<iovec, kSendBatch> send_vectors_{};
  std::array<mmsghdr, kSendBatch> outgoing_{};
  std::array<SegmentControl, kSendBatch> controls_{};
  std::size_t out_count_ = 0;
  std::size_t message_count_ = 0;
  std::size_t run_receiver_ = 0;
};

int run_forwarder(std::string_view crypto, std::string_view io, const char* setup_file) {
  const Setup setup = read_setup(setup_file);
  const auto protection = make_protection(crypto, setup);
  const bool io_known = io == "single" || io == "batch" || io == "segment";
  if (!protection || !io_known) {
    std::fprintf(stderr, "bench_forwarder: unknown kind of crypto or io\n");
    return 64;
  }
  Forwarder forwarder(setup, *protection,
                      io == "single"  ? Io::single
                      : io == "batch" ? Io::batch
                                      : Io::segment);
  std::puts("ready");
  std::fflush(stdout);
  forwarder.run();
}

}  // namespace
}  // namespace runnel::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_forwarder evp|libsrtp|none single|batch|segment SETUP\n");
    return 64;
  }
  return runnel::bench::run_forwarder(argv[1], argv[2], argv[3]);
}

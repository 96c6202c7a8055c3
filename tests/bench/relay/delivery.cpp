#include "tests/bench/relay/delivery.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <vector>

#include "tests/bench/relay/srtp_evp.h"

namespace runnel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Whether one datagram is what `receiver` should get.
bool decrypts(EvpSrtp& receiver, ByteView datagram, ByteView payload) {
  std::vector<std::uint8_t> packet(datagram.begin(), datagram.end());
  const auto size = receiver.unprotect(packet.data(), packet.size());
  return size && *size > payload.size() &&
         std::ranges::equal(std::span(packet).subspan(*size - payload.size(), payload.size()),
                            payload);
}

/// Receivers that have decrypted something, each recognised by which of the keys fits.
class Verification {
 public:
  explicit Verification(const Contender& contender) : payload_(contender.payload()) {
    for (const ReceiverSetup& receiver : contender.setup().receivers) {
      receivers_.emplace_back(contender.setup().suite, receiver.key_and_salt);
    }
  }
  void look_at(ByteView datagram) {
    const std::uint32_t ssrc = load_be32(datagram.data() + 8);
    if (known_.contains(ssrc)) return;
    // Forwarders keep to the order of their receivers, and so the next one is tried first.
    for (std::size_t i = 0; i < receivers_.size(); ++i, next_ = (next_ + 1) % receivers_.size()) {
      if (!decrypts(receivers_[next_], datagram, payload_)) continue;
      known_.insert(ssrc);
      return;
    }
  }
  [[nodiscard]] bool complete() const { return known_.size() == receivers_.size(); }

 private:
  ByteView payload_;
  std::vector<EvpSrtp> receivers_;
  std::size_t next_ = 0;
  std::unordered_set<std::uint32_t> known_;
};

}  // namespace

bool delivers(Contender& contender, Sink& sink, bool encrypted) {
  constexpr std::size_t kBurst = 4;
  sink.settle();
  sink.keep_whole(true);
  contender.prepare(kBurst);
  contender.send();
  Verification verification(contender);
  std::size_t arrived = 0;
  const auto deadline = Clock::now() + 5s;
  while (arrived < kBurst * contender.receivers() && Clock::now() < deadline) {
    for (const Arrival& arrival : sink.receive()) {
      arrived += arrival.datagrams;
      if (encrypted && arrival.datagrams > 0) {
        verification.look_at(
            arrival.bytes.first(std::min(arrival.bytes.size(), arrival.segment_size)));
      }
    }
  }
  sink.keep_whole(false);
  return arrived == kBurst * contender.receivers() && (!encrypted || verification.complete());
}

}  // namespace runnel::bench

// The engine without the system calls: a burst in, sealed packets for N receivers out. Beside it,
// the bare SRTP of the same packets, which is what no engine can do without.
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/base/packet_slab.h"
#include "core/relay/engine.h"
#include "core/srtp/srtp_sender.h"
#include "tests/bench/paired.h"

namespace {

using namespace runnel;
using runnel::bench::median;
using runnel::bench::nanoseconds;

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kPayloadSize = 1200;
constexpr std::size_t kGroup = 48;  // packets protected together by the bare loop
constexpr std::uint32_t kSourceSsrc = 0x5052;
constexpr relay::PortIndex kSourcePort{0};
constexpr relay::PortIndex kSharedPort{1};

class SeededRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(generator_());
  }

 private:
  std::mt19937 generator_{1};
};

srtp::MasterKey random_key(srtp::Profile profile, RandomSource& random) {
  const srtp::ProfileParameters& sizes = srtp::parameters(profile);
  std::vector<std::uint8_t> bytes(sizes.key_size + sizes.salt_size);
  random.fill(bytes);
  return *srtp::MasterKey::create(profile, bytes);
}

relay::SrtpSettings settings(const srtp::MasterKey& key) {
  relay::SrtpSettings result{.profile = key.profile(), .media_keys = {}, .reply_keys = {}};
  result.media_keys.push_back(key.clone());
  return result;
}

void write_header(std::uint8_t* packet, std::uint16_t sequence_number, std::uint32_t ssrc) {
  packet[0] = 0x80;
  packet[1] = 96;
  store_be16(packet + 2, sequence_number);
  store_be32(packet + 4, 90'000);
  store_be32(packet + 8, ssrc);
}

/// A source that makes its bursts outside of what is measured.
class Source {
 public:
  Source(const srtp::MasterKey& key, std::size_t burst) : sender_(key), slab_(burst) {}

  [[nodiscard]] std::span<const relay::IncomingDatagram> next_burst() {
    datagrams_.clear();
    for (std::size_t i = 0; i < slab_.slot_count(); ++i) {
      const ByteSpan slot = slab_.slot(i);
      write_header(slot.data(), ++sequence_number_, kSourceSsrc);
      const auto size =
          sender_.protect_in_place(srtp::PacketKind::rtp, slot, kHeaderSize + kPayloadSize);
      RUNNEL_CHECK(size.has_value());
      datagrams_.push_back({kSourcePort, from_, slot.first(*size), false});
    }
    return datagrams_;
  }

 private:
  srtp::Sender sender_;
  PacketSlab slab_;
  SocketAddress from_{IpAddress::v4({127, 0, 0, 1}), 4000};
  std::vector<relay::IncomingDatagram> datagrams_;
  std::uint16_t sequence_number_ = 0;
};

/// `protect` on as many packets of as many keys, receiver after receiver.
class BareProtection {
 public:
  BareProtection(const std::vector<srtp::MasterKey>& keys, std::size_t burst)
      : burst_(burst), out_(kGroup) {
    for (const srtp::MasterKey& key : keys) senders_.emplace_back(key);
  }

  void run() {
    for (std::size_t receiver = 0; receiver < senders_.size(); ++receiver) {
      for (std::size_t i = 0; i < burst_; ++i) add(receiver, i);
    }
    flush();
    sequence_number_ = static_cast<std::uint16_t>(sequence_number_ + burst_);
  }

 private:
  void add(std::size_t receiver, std::size_t packet) {
    const ByteSpan out = out_.slot(jobs_.size());
    write_header(out.data(), static_cast<std::uint16_t>(sequence_number_ + packet), kSourceSsrc);
    jobs_.push_back({&senders_[receiver], srtp::PacketKind::rtp, out, kHeaderSize,
                     payloads_.slot(packet).first(kPayloadSize), 0});
    if (jobs_.size() == kGroup) flush();
  }
  void flush() {
    srtp::protect(jobs_);
    jobs_.clear();
  }

  std::size_t burst_;
  std::vector<srtp::Sender> senders_;
  PacketSlab payloads_{32};
  PacketSlab out_;
  std::vector<srtp::ProtectJob> jobs_;
  std::uint16_t sequence_number_ = 1;
};

relay::RelayDescription describe(const srtp::MasterKey& source_key,
                                 const std::vector<srtp::MasterKey>& keys) {
  relay::RelayDescription description{.stream = "bench", .from = {}, .to = {}};
  description.from.srtp = settings(source_key);
  description.from.media.push_back(
      {.name = "video",
       .codec = *rtp::Codec::parse(rtp::MediaKind::video, "H264/90000"),
       .payload_type = 96,
       .ports = {kSourcePort, std::nullopt},
       .ssrc = std::nullopt});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const SocketAddress destination{IpAddress::v4({127, 0, 0, 1}),
                                    static_cast<std::uint16_t>(5000 + i)};
    relay::ReceiverLeg leg;
    leg.srtp = settings(keys[i]);
    leg.media.push_back({.source = 0,
                         .payload_type = 96,
                         .ssrc = std::nullopt,
                         .ports = {kSharedPort, std::nullopt},
                         .rtp_destination = destination,
                         .rtcp_destination = destination});
    description.to.push_back(std::move(leg));
  }
  return description;
}

void fan_out(benchmark::State& state, srtp::Profile profile, std::size_t receivers,
             std::size_t burst) {
  SeededRandom random;
  const srtp::MasterKey source_key = random_key(profile, random);
  std::vector<srtp::MasterKey> keys;
  for (std::size_t i = 0; i < receivers; ++i) keys.push_back(random_key(profile, random));
  relay::Engine engine(relay::EngineLimits{}, random);
  engine.add_shared_port(kSharedPort);
  RUNNEL_CHECK(engine.add_relay(describe(source_key, keys)).has_value());
  Source source(source_key, burst);
  BareProtection bare(keys, burst);
  relay::Outbox outbox;
  Timestamp now{std::chrono::seconds(1)};
  std::vector<double> intake_ns;
  std::vector<double> ours_ns;
  std::vector<double> bare_ns;
  const auto packets = static_cast<double>(burst * receivers);
  std::size_t sent = 0;
  std::size_t expected = 0;
  for (auto _ : state) {
    const auto datagrams = source.next_burst();
    now += std::chrono::milliseconds(1);
    expected += burst * receivers;
    const double intake = nanoseconds([&] { engine.handle_datagrams(now, datagrams); });
    const double delivery = nanoseconds([&] {
      while (engine.drain(outbox)) sent += outbox.datagrams().size();
    });
    intake_ns.push_back(intake / packets);
    ours_ns.push_back((intake + delivery) / packets);
    bare_ns.push_back(nanoseconds([&] { bare.run(); }) / packets);
    state.SetIterationTime((intake + delivery) * 1e-9);
  }
  if (sent < expected) state.SkipWithError("packets are missing");
  state.counters["ours"] = median(ours_ns);
  state.counters["intake"] = median(intake_ns);
  state.counters["peer"] = median(bare_ns);
  state.counters["ratio"] = state.counters["peer"] / state.counters["ours"];
}

bool register_all() {
  for (const auto profile :
       {srtp::Profile::aes_cm_128_hmac_sha1_80, srtp::Profile::aead_aes_128_gcm}) {
    for (const std::size_t receivers : {1uz, 10uz, 50uz, 100uz, 1000uz}) {
      const std::size_t burst = receivers == 1 ? 32 : 10;
      const std::string name = "relay/" + std::string(srtp::to_string(profile)) +
                               "/receivers:" + std::to_string(receivers);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        fan_out(state, profile, receivers, burst);
      })->UseManualTime();
    }
  }
  return true;
}

// Before main(), which is Google Benchmark's.
[[maybe_unused]] const bool registered = register_all();

}  // namespace

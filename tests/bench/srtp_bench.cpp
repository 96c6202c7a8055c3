// SRTP in batches beside two peers: libsrtp as this machine has it, and OpenSSL's EVP with contexts
// kept per key, which is what libsrtp on OpenSSL does less its bookkeeping.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <srtp2/srtp.h>

#include "core/base/packet_slab.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "tests/bench/paired.h"
#include "tests/bench/relay/srtp_evp.h"

namespace {

using namespace runnel;
using namespace runnel::srtp;
using runnel::bench::EvpSrtp;
using runnel::bench::run_paired;

constexpr std::size_t kPacketsPerRound = 64;
constexpr std::size_t kHeaderSize = 12;
constexpr std::uint32_t kSsrc = 0x1122'3344;

struct Load {
  Profile profile;
  std::size_t payload_size;
  std::size_t batch;
};

std::vector<std::uint8_t> key_material(Profile profile, std::size_t seed) {
  std::vector<std::uint8_t> bytes(parameters(profile).key_size + parameters(profile).salt_size);
  std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(seed * 17));
  return bytes;
}

MasterKey master_key(Profile profile, std::size_t seed) {
  return MasterKey::create(profile, key_material(profile, seed)).value();
}

void write_header(std::uint8_t* packet, std::uint16_t sequence_number) {
  packet[0] = 0x80;
  packet[1] = 96;
  store_be16(packet + 2, sequence_number);
  store_be32(packet + 4, sequence_number * 3000U);
  store_be32(packet + 8, kSsrc);
}

/// A libsrtp session; the two directions differ only in the name of the policy.
class LibsrtpPeer {
 public:
  LibsrtpPeer(Profile profile, std::size_t seed, srtp_ssrc_type_t direction) {
    [[maybe_unused]] static const srtp_err_status_t initialised = srtp_init();
    std::vector<std::uint8_t> key = key_material(profile, seed);
    srtp_policy_t policy{};
    for (srtp_crypto_policy_t* part : {&policy.rtp, &policy.rtcp}) {
      if (parameters(profile).is_aead) {
        srtp_crypto_policy_set_aes_gcm_128_16_auth(part);
      } else {
        srtp_crypto_policy_set_rtp_default(part);  // AES_CM_128_HMAC_SHA1_80
      }
    }
    policy.ssrc.type = direction;
    policy.key = key.data();
    policy.window_size = 1024;
    if (srtp_create(&session_, &policy) != srtp_err_status_ok) std::abort();
  }
  LibsrtpPeer(LibsrtpPeer&& other) noexcept : session_(std::exchange(other.session_, nullptr)) {}
  ~LibsrtpPeer() {
    if (session_ != nullptr) srtp_dealloc(session_);
  }

  bool protect(std::uint8_t* packet, std::size_t size) {
    auto length = static_cast<int>(size);
    return srtp_protect(session_, packet, &length) == srtp_err_status_ok;
  }
  bool unprotect(std::uint8_t* packet, std::size_t size) {
    auto length = static_cast<int>(size);
    return srtp_unprotect(session_, packet, &length) == srtp_err_status_ok;
  }

 private:
  srtp_t session_ = nullptr;
};

class EvpPeer {
 public:
  EvpPeer(Profile profile, std::size_t seed, srtp_ssrc_type_t)
      : srtp_(profile == Profile::aes_cm_128_hmac_sha1_80 ? bench::Suite::aes_cm_128_hmac_sha1_80
                                                          : bench::Suite::aead_aes_128_gcm,
              key_material(profile, seed)) {}

  bool protect(std::uint8_t* packet, std::size_t size) { return srtp_.protect(packet, size) != 0; }
  bool unprotect(std::uint8_t* packet, std::size_t size) {
    return srtp_.unprotect(packet, size).has_value();
  }

 private:
  EvpSrtp srtp_;
};

/// A fan-out: one clear packet to each of `batch` receivers with a key of its own, then the next.
template <typename Peer>
void protect_fan_out(benchmark::State& state, Load load) {
  std::vector<Sender> senders;
  std::vector<Peer> peers;
  for (std::size_t i = 0; i < load.batch; ++i) {
    senders.emplace_back(master_key(load.profile, i));
    peers.emplace_back(load.profile, i, ssrc_any_outbound);
  }
  const std::vector<std::uint8_t> payload(load.payload_size, 0x5a);
  PacketSlab slab(load.batch);
  PacketSlab peer_slab(load.batch);
  std::vector<ProtectJob> jobs(load.batch);
  std::uint16_t number = 0;
  std::uint16_t peer_number = 0;
  bool is_right = true;
  run_paired(
      state, static_cast<double>(kPacketsPerRound),
      [&] {
        for (std::size_t sent = 0; sent < kPacketsPerRound; sent += load.batch, ++number) {
          for (std::size_t i = 0; i < load.batch; ++i) {
            write_header(slab.slot(i).data(), number);
            jobs[i] = {.sender = &senders[i],
                       .out = slab.slot(i),
                       .header_size = kHeaderSize,
                       .payload = payload};
          }
          protect(jobs);
          is_right &= jobs.back().result.has_value();
        }
      },
      [&] {
        for (std::size_t sent = 0; sent < kPacketsPerRound; sent += load.batch, ++peer_number) {
          for (std::size_t i = 0; i < load.batch; ++i) {
            std::uint8_t* packet = peer_slab.slot(i).data();
            write_header(packet, peer_number);
            std::ranges::copy(payload, packet + kHeaderSize);  // it works in place alone
            is_right &= peers[i].protect(packet, kHeaderSize + load.payload_size);
          }
        }
      });
  const auto first = slab.slot(0).first(kHeaderSize + load.payload_size);
  is_right &= std::ranges::equal(first, peer_slab.slot(0).first(first.size()));
  if (!is_right) state.SkipWithError("a packet was not protected, or not alike");
}

/// A burst from one source.
template <typename Peer>
void unprotect_burst(benchmark::State& state, Load load) {
  Sender sender(master_key(load.profile, 0));
  Receiver receiver(master_key(load.profile, 0));
  Peer peer(load.profile, 0, ssrc_any_inbound);
  PacketSlab slab(kPacketsPerRound);
  PacketSlab peer_slab(kPacketsPerRound);
  std::vector<UnprotectJob> jobs(kPacketsPerRound);
  std::uint16_t number = 0;
  bool is_right = true;
  const std::size_t clear_size = kHeaderSize + load.payload_size;
  const std::size_t size = clear_size + sender.overhead(PacketKind::rtp);
  const auto prepare = [&] {
    for (std::size_t i = 0; i < kPacketsPerRound; ++i) {
      const ByteSpan packet = slab.slot(i);
      write_header(packet.data(), number++);
      is_right &= sender.protect_in_place(PacketKind::rtp, packet, clear_size).has_value();
      copy_bytes(peer_slab.slot(i), packet.first(size));
      jobs[i] = {.receiver = &receiver, .packet = packet.first(size)};
    }
  };
  run_paired(
      state, static_cast<double>(kPacketsPerRound),
      [&] {
        for (std::size_t i = 0; i < kPacketsPerRound; i += load.batch) {
          unprotect(std::span(jobs).subspan(i, load.batch));
        }
        for (const UnprotectJob& job : jobs) is_right &= job.result.has_value();
      },
      [&] {
        for (std::size_t i = 0; i < kPacketsPerRound; ++i) {
          is_right &= peer.unprotect(peer_slab.slot(i).data(), size);
        }
      },
      prepare);
  if (!is_right) state.SkipWithError("a packet was not unprotected");
}

/// What libsrtp computes with, by what it has drawn into this process.
std::string libsrtp_backend() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("libnss3") != std::string::npos) return "NSS";
    if (line.find("libmbedcrypto") != std::string::npos) return "mbedTLS";
  }
  return "OpenSSL or its own code";
}

using Function = void (*)(benchmark::State&, Load);

void add(const std::string& what, Function function, const Load& load, const std::string& peer) {
  const std::string name = what + '/' + std::string(to_string(load.profile)) + '/' +
                           std::to_string(load.payload_size) +
                           "/batch:" + std::to_string(load.batch) + "/beside:" + peer;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    function(state, load);
  })->UseManualTime();
}

bool register_all() {
  std::cerr << srtp_get_version_string() << " here computes with " << libsrtp_backend() << '\n';
  for (const Profile profile : {Profile::aes_cm_128_hmac_sha1_80, Profile::aead_aes_128_gcm}) {
    for (const std::size_t payload_size : {160UZ, 1200UZ}) {
      for (const std::size_t batch : {1UZ, 4UZ, 16UZ, 32UZ}) {
        const Load load{profile, payload_size, batch};
        add("srtp_protect", protect_fan_out<LibsrtpPeer>, load, "libsrtp");
        add("srtp_protect", protect_fan_out<EvpPeer>, load, "evp");
        add("srtp_unprotect", unprotect_burst<LibsrtpPeer>, load, "libsrtp");
        add("srtp_unprotect", unprotect_burst<EvpPeer>, load, "evp");
      }
    }
  }
  return true;
}

// Before main(), which is Google Benchmark's.
[[maybe_unused]] const bool registered = register_all();

}  // namespace

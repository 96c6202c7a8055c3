// Differential tests against libsrtp2, where it is a valid oracle: what one protects the other
// unprotects, over lost, late, doubled and wrapping packets, in batches of random sizes.
#include <algorithm>

#include <gtest/gtest.h>
#include <srtp2/srtp.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

void set_crypto_policy(Profile profile, srtp_policy_t& policy) {
  switch (profile) {
    case Profile::aes_cm_128_hmac_sha1_80:
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
      break;
    case Profile::aes_cm_128_hmac_sha1_32:
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&policy.rtp);
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
      break;
    case Profile::aes_256_cm_hmac_sha1_80:
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80(&policy.rtp);
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80(&policy.rtcp);
      break;
    case Profile::aes_256_cm_hmac_sha1_32:
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32(&policy.rtp);
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80(&policy.rtcp);
      break;
    case Profile::aead_aes_128_gcm:
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp);
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp);
      break;
    case Profile::aead_aes_256_gcm:
      srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtp);
      srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtcp);
      break;
  }
}

enum class Direction : std::uint8_t { inbound, outbound };

/// A libsrtp session for any SSRC.
class Libsrtp {
 public:
  Libsrtp(Profile profile, Direction direction, unsigned long window) {
    static const srtp_err_status_t initialised = srtp_init();
    EXPECT_EQ(initialised, srtp_err_status_ok);
    Bytes material = key_material(profile);
    srtp_policy_t policy{};
    set_crypto_policy(profile, policy);
    policy.ssrc.type = direction == Direction::inbound ? ssrc_any_inbound : ssrc_any_outbound;
    policy.key = material.data();
    policy.window_size = window;
    policy.allow_repeat_tx = 1;
    EXPECT_EQ(srtp_create(&session_, &policy), srtp_err_status_ok);
  }
  Libsrtp(const Libsrtp&) = delete;
  Libsrtp& operator=(const Libsrtp&) = delete;
  ~Libsrtp() { srtp_dealloc(session_); }

  [[nodiscard]] Bytes protect(PacketKind kind, const Bytes& clear) {
    return transform(kind == PacketKind::rtp ? srtp_protect : srtp_protect_rtcp, clear).value();
  }
  /// nullopt when refused.
  [[nodiscard]] std::optional<Bytes> unprotect(PacketKind kind, const Bytes& packet) {
    return transform(kind == PacketKind::rtp ? srtp_unprotect : srtp_unprotect_rtcp, packet);
  }

 private:
  using Function = srtp_err_status_t (*)(srtp_t, void*, int*);

  std::optional<Bytes> transform(Function function, Bytes packet) {
    auto size = static_cast<int>(packet.size());
    packet.resize(packet.size() + SRTP_MAX_TRAILER_LEN + 4);
    if (function(session_, packet.data(), &size) != srtp_err_status_ok) return std::nullopt;
    packet.resize(static_cast<std::size_t>(size));
    return packet;
  }

  srtp_t session_ = nullptr;
};

/// Sequence numbers of one sender as they are sent: now and then a jump, so that there are wraps.
class Numbers {
 public:
  explicit Numbers(Generator& generator) : generator_(generator) {}
  std::uint16_t next() {
    return advance(below(generator_, 10) == 0 ? 1 + below(generator_, 20'000) : 1);
  }
  std::uint16_t advance(std::size_t step) {
    value_ = static_cast<std::uint16_t>(value_ + step);
    return value_;
  }

 private:
  Generator& generator_;
  std::uint16_t value_ = 1000;
};

class AgainstLibsrtp : public testing::TestWithParam<Profile> {};

INSTANTIATE_TEST_SUITE_P(Libsrtp, AgainstLibsrtp, testing::ValuesIn(kProfiles), ProfileName{});

TEST_P(AgainstLibsrtp, ProtectsTheSameBytes) {
  Sender sender(make_key(GetParam()), {.initial_srtcp_index = 1});  // libsrtp counts from 1
  Libsrtp libsrtp(GetParam(), Direction::outbound, 1024);
  Generator generator(21);
  Numbers numbers(generator);
  for (int i = 0; i < 3000; ++i) {
    const Bytes rtp = rtp_packet(7, numbers.next(), below(generator, 1400));
    ASSERT_EQ(protect_copy(sender, PacketKind::rtp, rtp), libsrtp.protect(PacketKind::rtp, rtp));
    const Bytes rtcp = rtcp_packet(7, below(generator, 100) * 4);
    ASSERT_EQ(protect_copy(sender, PacketKind::rtcp, rtcp),
              libsrtp.protect(PacketKind::rtcp, rtcp));
  }
}

struct Sent {
  PacketKind kind;
  Bytes bytes;
};

/// Loses some, holds some back, doubles some, damages some.
std::vector<Sent> deliver_badly(std::vector<Sent> sent, Generator& generator) {
  std::vector<Sent> delivered;
  for (Sent& packet : sent) {
    if (below(generator, 10) == 0) continue;
    if (below(generator, 10) == 0) {
      Sent damaged = packet;
      damaged.bytes[below(generator, damaged.bytes.size())] ^= 0x10;
      delivered.push_back(damaged);
    }
    if (below(generator, 10) == 0) delivered.push_back(packet);
    delivered.push_back(packet);
  }
  for (std::size_t i = 0; i + 1 < delivered.size(); ++i) {
    if (below(generator, 4) != 0) continue;
    const std::size_t reach = std::min<std::size_t>(delivered.size() - i - 1, 200);
    std::swap(delivered[i], delivered[i + 1 + below(generator, reach)]);
  }
  return delivered;
}

/// Many packets of several SSRCs, delivered badly once each SSRC has gone around a few times:
/// where an index before 0 is possible, libsrtp is no oracle.
std::vector<Sent> send_many(Sender& sender, Generator& generator) {
  constexpr std::uint32_t kSsrcs = 3;
  std::vector<Numbers> numbers(kSsrcs, Numbers(generator));
  std::vector<Sent> beginning;
  for (std::uint32_t i = 0; i < 10 * kSsrcs; ++i) {
    const Bytes clear = rtp_packet(i % kSsrcs, numbers[i % kSsrcs].advance(30'000));
    beginning.push_back({PacketKind::rtp, protect_copy(sender, PacketKind::rtp, clear)});
  }
  std::vector<Sent> sent;
  for (int i = 0; i < 6000; ++i) {
    const auto ssrc = static_cast<std::uint32_t>(below(generator, kSsrcs));
    const PacketKind kind = below(generator, 8) == 0 ? PacketKind::rtcp : PacketKind::rtp;
    const Bytes clear = kind == PacketKind::rtp
                            ? rtp_packet(ssrc, numbers[ssrc].next(), below(generator, 300))
                            : rtcp_packet(ssrc, below(generator, 20) * 4);
    sent.push_back({kind, protect_copy(sender, kind, clear)});
  }
  const std::vector<Sent> delivered = deliver_badly(std::move(sent), generator);
  beginning.insert(beginning.end(), delivered.begin(), delivered.end());
  return beginning;
}

TEST_P(AgainstLibsrtp, AcceptsAndRefusesTheSamePackets) {
  for (const std::size_t window : {128U, 1024U}) {
    const MasterKey key = make_key(GetParam());
    Generator generator(22 + window);
    Sender sender(key, {.initial_srtcp_index = 1});
    const std::vector<Sent> packets = send_many(sender, generator);
    // libsrtp's window for SRTCP is 128 whatever one asks for, so it decides with ours of 128
    // alone.
    Receiver receiver(key, {.replay_window = window});
    Libsrtp libsrtp(GetParam(), Direction::inbound, window);
    std::size_t next = 0;
    std::size_t accepted = 0;
    while (next < packets.size()) {
      const std::size_t count = std::min(1 + below(generator, 100), packets.size() - next);
      std::vector<Sent> batch(packets.begin() + static_cast<std::ptrdiff_t>(next),
                              packets.begin() + static_cast<std::ptrdiff_t>(next + count));
      std::vector<UnprotectJob> jobs;
      for (Sent& packet : batch) {
        jobs.push_back({.receiver = &receiver, .kind = packet.kind, .packet = packet.bytes});
      }
      unprotect(jobs);
      for (std::size_t i = 0; i < count; ++i) {
        const Sent& packet = packets[next + i];
        if (packet.kind == PacketKind::rtcp && window != 128) continue;
        const std::optional<Bytes> expected = libsrtp.unprotect(packet.kind, packet.bytes);
        ASSERT_EQ(jobs[i].result.has_value(), expected.has_value()) << next + i;
        if (!expected) continue;
        ++accepted;
        batch[i].bytes.resize(*jobs[i].result);
        ASSERT_EQ(batch[i].bytes, *expected) << next + i;
      }
      next += count;
    }
    EXPECT_GT(accepted, 1000U);
  }
}

}  // namespace
}  // namespace runnel::srtp::test

// A batch gives what one packet after the other gives, whatever is in it.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

using Result = std::expected<std::size_t, Error>;

/// Senders of all profiles, with and without MKI.
std::vector<MasterKey> various_keys() {
  std::vector<MasterKey> keys;
  std::uint8_t seed = 1;
  for (const Profile profile : kProfiles) {
    keys.push_back(make_key(profile, seed++));
    keys.push_back(make_key(profile, seed++, from_hex("0a0b0c")));
  }
  return keys;
}

struct Clear {
  std::size_t key;
  PacketKind kind;
  Bytes bytes;

  [[nodiscard]] std::size_t header_size() const { return kind == PacketKind::rtp ? 12 : 8; }
};

Clear random_clear_packet(Generator& generator, std::size_t key_count) {
  const auto ssrc = static_cast<std::uint32_t>(below(generator, 4));
  const auto number = static_cast<std::uint16_t>(65400 + below(generator, 300));
  const std::size_t size = below(generator, 2) == 0 ? below(generator, 60) : below(generator, 1300);
  const std::size_t key = below(generator, key_count);
  if (below(generator, 5) == 0) return {key, PacketKind::rtcp, rtcp_packet(ssrc, size)};
  Bytes rtp = rtp_packet(ssrc, number, size);
  if (below(generator, 20) == 0) rtp[0] = 0x41;  // no packet at all
  return {key, PacketKind::rtp, rtp};
}

TEST(ProtectBatch, EqualsOneByOne) {
  const std::vector<MasterKey> keys = various_keys();
  std::vector<Sender> batch_senders;
  std::vector<Sender> single_senders;
  for (const MasterKey& key : keys) {
    batch_senders.emplace_back(key, SenderOptions{.max_ssrcs = 3});
    single_senders.emplace_back(key, SenderOptions{.max_ssrcs = 3});
  }
  Generator generator(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = below(generator, 130);
    std::vector<Clear> clear;
    std::vector<Bytes> outputs;
    for (std::size_t i = 0; i < count; ++i) {
      clear.push_back(random_clear_packet(generator, keys.size()));
      Bytes out = clear.back().bytes;
      // Sometimes one byte too few.
      out.resize(out.size() + batch_senders[clear.back().key].overhead(clear.back().kind) -
                 (below(generator, 15) == 0 ? 1 : 0));
      outputs.push_back(out);
    }
    std::vector<ProtectJob> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t header_size = clear[i].header_size();
      const ByteView source =
          i % 2 == 0 ? ByteView(clear[i].bytes) : ByteView(outputs[i]).first(clear[i].bytes.size());
      jobs.push_back({.sender = &batch_senders[clear[i].key],
                      .kind = clear[i].kind,
                      .out = outputs[i],
                      .header_size = header_size,
                      .payload = source.subspan(header_size)});
    }
    protect(jobs);
    for (std::size_t i = 0; i < count; ++i) {
      Bytes expected = clear[i].bytes;
      expected.resize(outputs[i].size());
      const Result result = single_senders[clear[i].key].protect_in_place(clear[i].kind, expected,
                                                                          clear[i].bytes.size());
      ASSERT_EQ(jobs[i].result, result);
      if (!result) continue;
      ASSERT_EQ(outputs[i], expected);
    }
  }
}

/// Makes protected packets as a bad network would deliver them: with losses, late ones, doubles,
/// forgeries, jumps and wraps.
class BadNetwork {
 public:
  explicit BadNetwork(const std::vector<MasterKey>& keys, std::uint64_t seed) : generator_(seed) {
    for (const MasterKey& key : keys) {
      streams_.push_back({std::make_unique<Sender>(key), std::vector<std::uint16_t>(kSsrcs)});
      for (std::uint16_t& number : streams_.back().next) {
        number = static_cast<std::uint16_t>(generator_());
      }
    }
  }

  struct Packet {
    std::size_t key;
    PacketKind kind;
    Bytes bytes;
  };

  [[nodiscard]] Packet next() {
    if (!sent_.empty() && below(generator_, 6) == 0) return sent_[below(generator_, sent_.size())];
    Packet packet = fresh();
    if (below(generator_, 6) == 0) {
      const std::size_t place = below(generator_, packet.bytes.size());
      packet.bytes[place] ^= static_cast<std::uint8_t>(1 + below(generator_, 255));
      return packet;
    }
    sent_.push_back(packet);
    if (sent_.size() > 300) sent_.erase(sent_.begin());
    if (below(generator_, 5) == 0) return next();  // this one comes later, or never
    return packet;
  }

 private:
  static constexpr std::size_t kSsrcs = 5;
  struct Stream {
    std::unique_ptr<Sender> sender;
    std::vector<std::uint16_t> next;
  };

  Packet fresh() {
    const std::size_t key = below(generator_, streams_.size());
    Stream& stream = streams_[key];
    const std::size_t which = below(generator_, kSsrcs);
    const auto ssrc = static_cast<std::uint32_t>(0x1000 + which);
    if (below(generator_, 6) == 0) {
      return {key, PacketKind::rtcp,
              protect_copy(*stream.sender, PacketKind::rtcp,
                           rtcp_packet(ssrc, below(generator_, 100)))};
    }
    // Now and then a jump, so that a few packets take a stream around.
    const std::size_t step = below(generator_, 8) == 0 ? 1 + below(generator_, 30'000) : 1;
    stream.next[which] = static_cast<std::uint16_t>(stream.next[which] + step);
    return {key, PacketKind::rtp,
            protect_copy(*stream.sender, PacketKind::rtp,
                         rtp_packet(ssrc, stream.next[which], below(generator_, 200)))};
  }

  Generator generator_;
  std::vector<Stream> streams_;
  std::vector<Packet> sent_;
};

void expect_batch_equals_single(const ReceiverOptions& options, std::uint64_t seed) {
  const std::vector<MasterKey> keys = various_keys();
  std::vector<Receiver> batch_receivers;
  std::vector<Receiver> single_receivers;
  for (const MasterKey& key : keys) {
    batch_receivers.emplace_back(key, options);
    single_receivers.emplace_back(key, options);
  }
  BadNetwork network(keys, seed);
  Generator generator(seed + 1);
  std::size_t accepted = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<BadNetwork::Packet> packets(below(generator, 90));
    for (BadNetwork::Packet& packet : packets) packet = network.next();
    std::vector<BadNetwork::Packet> singles = packets;
    std::vector<UnprotectJob> jobs;
    for (BadNetwork::Packet& packet : packets) {
      jobs.push_back(
          {.receiver = &batch_receivers[packet.key], .kind = packet.kind, .packet = packet.bytes});
    }
    unprotect(jobs);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      BadNetwork::Packet& single = singles[i];
      const Result result =
          single_receivers[single.key].unprotect_in_place(single.kind, single.bytes);
      ASSERT_EQ(jobs[i].result, result) << "round " << round << " packet " << i;
      if (!result) continue;
      ++accepted;
      single.bytes.resize(*result);
      packets[i].bytes.resize(*result);
      ASSERT_EQ(packets[i].bytes, single.bytes);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(batch_receivers[i].ssrc_count(), single_receivers[i].ssrc_count());
  }
  EXPECT_GT(accepted, 5000U);
}

TEST(UnprotectBatch, EqualsOneByOne) {
  expect_batch_equals_single({}, 11);
}

TEST(UnprotectBatch, EqualsOneByOneWithASmallWindow) {
  expect_batch_equals_single({.replay_window = 64}, 12);
}

TEST(UnprotectBatch, EqualsOneByOneWhileContextsAreEvictedAllTheTime) {
  expect_batch_equals_single({.max_ssrcs = 2}, 13);
  expect_batch_equals_single({.max_ssrcs = 1}, 14);
}

class BatchOfEachProfile : public testing::TestWithParam<Profile> {};

INSTANTIATE_TEST_SUITE_P(UnprotectBatch, BatchOfEachProfile, testing::ValuesIn(kProfiles),
                         ProfileName{});

std::vector<Result> unprotect_together(Receiver& receiver, std::vector<Bytes>& packets) {
  std::vector<UnprotectJob> jobs;
  for (Bytes& packet : packets) jobs.push_back({.receiver = &receiver, .packet = packet});
  unprotect(jobs);
  std::vector<Result> results;
  for (const UnprotectJob& job : jobs) results.push_back(job.result);
  return results;
}

TEST_P(BatchOfEachProfile, ADuplicateInsideABatchIsRefused) {
  const MasterKey key = make_key(GetParam());
  Sender sender(key);
  Receiver receiver(key);
  const Bytes first = protect_copy(sender, PacketKind::rtp, rtp_packet(1, 1, 0));
  const Bytes second = protect_copy(sender, PacketKind::rtp, rtp_packet(1, 2, 0));
  // On first contact and afterwards.
  std::vector<Bytes> packets{first, first, second, first, second};
  EXPECT_EQ(
      unprotect_together(receiver, packets),
      (std::vector<Result>{12, std::unexpected(Error::replayed), 12,
                           std::unexpected(Error::replayed), std::unexpected(Error::replayed)}));
}

TEST_P(BatchOfEachProfile, AForgedPacketDoesNotFailItsNeighbours) {
  const MasterKey key = make_key(GetParam());
  Sender sender(key);
  Receiver receiver(key);
  std::vector<Bytes> packets;
  std::vector<Result> expected;
  for (std::uint16_t i = 0; i < 40; ++i) {
    const auto number = static_cast<std::uint16_t>(65520 + i);
    const Bytes clear = rtp_packet(1, number, 20);
    packets.push_back(protect_copy(sender, PacketKind::rtp, clear));
    expected.emplace_back(clear.size());
    // The same number, so that the forgery stands in the genuine packet's way; one that jumps
    // ahead; one of an SSRC that nobody has heard of.
    Bytes forged = packets.back();
    forged[20] ^= 1;
    Bytes jump = forged;
    store_be16(jump.data() + 2, static_cast<std::uint16_t>(number + 30'000));
    Bytes stranger = forged;
    store_be32(stranger.data() + 8, 0x5000U + i);
    for (const Bytes& bad : {jump, stranger}) {
      packets.push_back(bad);
      expected.push_back(std::unexpected(Error::authentication_failed));
    }
    packets.insert(packets.end() - 3, forged);
    expected.insert(expected.end() - 3, std::unexpected(Error::authentication_failed));
  }
  EXPECT_EQ(unprotect_together(receiver, packets), expected);
  EXPECT_EQ(receiver.ssrc_count(), 1U);
}

TEST_P(BatchOfEachProfile, AStreamMayGoAroundInsideABatch) {
  const MasterKey key = make_key(GetParam());
  Sender sender(key);
  Receiver receiver(key);
  std::vector<Bytes> packets;
  std::uint16_t number = 40'000;
  for (int i = 0; i < 40; ++i) {
    packets.push_back(protect_copy(sender, PacketKind::rtp, rtp_packet(1, number, 0)));
    number = static_cast<std::uint16_t>(number + 30'000);
  }
  EXPECT_EQ(unprotect_together(receiver, packets), std::vector<Result>(40, 12));
}

}  // namespace
}  // namespace runnel::srtp::test

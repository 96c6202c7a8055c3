// No allocation on the packet path once every SSRC has been seen.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "tests/allocations/counting_allocator.h"
#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

using runnel::test::allocation_count;

TEST(Allocation, IsCounted) {
  const std::size_t before = allocation_count();
  const auto memory = std::make_unique<Bytes>(1000);
  EXPECT_EQ(allocation_count(), before + 2) << memory->size();
}

class PacketPath : public testing::TestWithParam<Profile> {};

INSTANTIATE_TEST_SUITE_P(Allocation, PacketPath, testing::ValuesIn(kProfiles), ProfileName{});

TEST_P(PacketPath, DoesNotAllocate) {
  constexpr std::size_t kBatch = 64;
  constexpr std::size_t kSsrcs = 8;
  const MasterKey key = make_key(GetParam());
  Sender sender(key);
  Receiver receiver(key);
  PacketSlab slab(kBatch);
  const Bytes payload(1200, 0x5a);
  std::array<ProtectJob, kBatch> protect_jobs;
  std::array<UnprotectJob, kBatch> unprotect_jobs;
  std::uint16_t number = 65'000;
  std::size_t after_warm_up = 0;
  for (int round = 0; round < 100; ++round) {
    if (round == 1) after_warm_up = allocation_count();
    for (std::size_t i = 0; i < kBatch; ++i) {
      const ByteSpan slot = slab.slot(i);
      const bool is_rtcp = i % 16 == 15;
      slot[0] = 0x80;
      store_be16(slot.data() + 2, number++);
      store_be32(slot.data() + (is_rtcp ? 4 : 8), static_cast<std::uint32_t>(i % kSsrcs));
      protect_jobs[i] = {.sender = &sender,
                         .kind = is_rtcp ? PacketKind::rtcp : PacketKind::rtp,
                         .out = slot,
                         .header_size = is_rtcp ? 8U : 12U,
                         .payload = payload};
    }
    protect(protect_jobs);
    for (std::size_t i = 0; i < kBatch; ++i) {
      ASSERT_TRUE(protect_jobs[i].result.has_value());
      unprotect_jobs[i] = {.receiver = &receiver,
                           .kind = protect_jobs[i].kind,
                           .packet = slab.slot(i).first(*protect_jobs[i].result)};
      // Forgeries, of SSRCs known and unknown, must not allocate either.
      if (i % 10 == 3) unprotect_jobs[i].packet[14] ^= 1;
      if (i % 10 == 4) unprotect_jobs[i].packet[9] ^= 1;
    }
    unprotect(unprotect_jobs);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const bool is_forged = i % 10 == 3 || i % 10 == 4;
      ASSERT_EQ(unprotect_jobs[i].result.has_value(), !is_forged) << round << ' ' << i;
    }
  }
  EXPECT_EQ(allocation_count(), after_warm_up);
}

}  // namespace
}  // namespace runnel::srtp::test

#include "core/relay/sequence_translator.h"

#include <gtest/gtest.h>

#include "core/relay/sequence_window.h"

namespace runnel::relay {
namespace {

constexpr std::uint64_t kPosition = 1'000'000;

TEST(SequenceTranslator, begins_below_half_of_the_circle_and_with_room_for_reordered_packets) {
  for (std::uint32_t random = 0; random < 65536; ++random) {
    SequenceTranslator translator;
    translator.start(kPosition, static_cast<std::uint16_t>(random));
    const auto first = translator.translate(kPosition);
    ASSERT_TRUE(first);
    ASSERT_GE(*first, SequenceWindow::kSize);
    ASSERT_LT(*first, 1U << 15);
  }
}

TEST(SequenceTranslator, keeps_gaps_and_order_through_the_wrap) {
  SequenceTranslator translator;
  translator.start(kPosition, 0);
  const std::uint16_t first = *translator.translate(kPosition);
  for (std::uint64_t i = 0; i < 200'000; i += 7) {
    ASSERT_EQ(*translator.translate(kPosition + i), static_cast<std::uint16_t>(first + i));
  }
}

TEST(SequenceTranslator, takes_packets_from_before_the_first_as_far_as_the_reordering_window) {
  SequenceTranslator translator;
  translator.start(kPosition, 0);
  EXPECT_EQ(translator.translate(kPosition - SequenceWindow::kSize), 0U);
  EXPECT_EQ(translator.translate(kPosition - SequenceWindow::kSize - 1), std::nullopt);
}

TEST(SequenceTranslator, after_an_interruption_goes_on_behind_the_highest_number) {
  SequenceTranslator translator;
  translator.start(kPosition, 0);
  const std::uint16_t highest = *translator.translate(kPosition + 5);
  static_cast<void>(translator.translate(kPosition + 3));
  translator.pause();
  EXPECT_FALSE(translator.running());
  const std::uint64_t later = kPosition + 40'000;  // more than half of the circle
  translator.resume(later);
  EXPECT_EQ(translator.translate(later), highest + 1);
  EXPECT_EQ(translator.translate(later - 1), std::nullopt) << "its number is taken";
  EXPECT_EQ(translator.translate(later + 1), highest + 2);
}

}  // namespace
}  // namespace runnel::relay

#include "core/relay/encoding_choice.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using Encodings = std::vector<EncodingState>;

/// As Chromium sends 720p in three encodings.
Encodings three() {
  return {{.rid = "q", .flowing = true, .height = 180, .bitrate = 150'000},
          {.rid = "h", .flowing = true, .height = 360, .bitrate = 500'000},
          {.rid = "f", .flowing = true, .height = 720, .bitrate = 1'500'000}};
}

TEST(EncodingChoice, is_the_highest_that_flows_without_a_wish) {
  Encodings encodings = three();
  EXPECT_EQ(choose_encoding(encodings, {}), 2u);
  encodings[2].flowing = false;
  EXPECT_EQ(choose_encoding(encodings, {}), 1u);
  for (auto& each : encodings) each.flowing = false;
  EXPECT_EQ(choose_encoding(encodings, {}), std::nullopt);
  EXPECT_EQ(choose_encoding({}, {}), std::nullopt);
}

TEST(EncodingChoice, keeps_to_a_height) {
  const Encodings encodings = three();
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 719, .rid = ""}), 1u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 720, .rid = ""}), 2u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 10'000, .rid = ""}), 2u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 180, .rid = ""}), 0u);
}

TEST(EncodingChoice, is_the_lowest_when_all_are_higher_than_wished) {
  Encodings encodings = three();
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 90, .rid = ""}), 0u);
  encodings[0].flowing = false;
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 90, .rid = ""}), 1u);
}

TEST(EncodingChoice, is_the_wished_rid_alone_whether_it_flows_or_not) {
  Encodings encodings = three();
  EXPECT_EQ(choose_encoding(encodings, {.max_height = {}, .rid = "h"}), 1u);
  encodings[1].flowing = false;
  EXPECT_EQ(choose_encoding(encodings, {.max_height = {}, .rid = "h"}), 1u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = {}, .rid = "x"}), std::nullopt);
}

TEST(EncodingChoice, ranks_by_size_not_by_name_or_order) {
  const Encodings encodings = {{.rid = "l", .flowing = true, .height = 1080, .bitrate = 100},
                               {.rid = "h", .flowing = true, .height = 270, .bitrate = 900}};
  EXPECT_EQ(choose_encoding(encodings, {}), 0u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 1, .rid = ""}), 1u);
}

TEST(EncodingChoice, ranks_by_bitrate_as_long_as_a_height_is_unknown) {
  Encodings encodings = three();
  encodings[1] = {.rid = "h", .flowing = true, .height = std::nullopt, .bitrate = 2'000'000};
  EXPECT_EQ(choose_encoding(encodings, {}), 1u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 720, .rid = ""}), 2u) << "may be higher";
  encodings[1].flowing = false;
  EXPECT_EQ(choose_encoding(encodings, {}), 2u) << "what does not flow need not be known";
}

TEST(EncodingChoice, takes_the_first_announced_for_the_better_when_nothing_else_is_known) {
  const Encodings encodings = {{.rid = "a", .flowing = true}, {.rid = "b", .flowing = true}};
  EXPECT_EQ(choose_encoding(encodings, {}), 0u);
  EXPECT_EQ(choose_encoding(encodings, {.max_height = 100, .rid = ""}), 1u);
}

}  // namespace
}  // namespace runnel::relay

#include "core/base/drop_reason.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace runnel {
namespace {

DropReason reason(std::size_t index) {
  return static_cast<DropReason>(index);
}

TEST(DropReason, EachHasAStableNameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    const std::string_view name = to_string(reason(i));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_TRUE(std::ranges::all_of(name, [](char c) {
      return c == '_' || (c >= 'a' && c <= 'z');
    })) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(DropReason, EachIsDescribedInWordsOfItsOwn) {
  std::set<std::string_view> descriptions;
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    const std::string_view description = describe(reason(i));
    EXPECT_FALSE(description.empty()) << to_string(reason(i));
    EXPECT_TRUE(descriptions.insert(description).second) << description;
  }
}

// The table of words has the order of the enumeration.
TEST(DropReason, NamesBelongToTheirReasons) {
  EXPECT_EQ(to_string(DropReason::oversized), "oversized");
  EXPECT_EQ(to_string(DropReason::not_rtp), "not_rtp");
  EXPECT_EQ(to_string(DropReason::malformed), "malformed");
  EXPECT_EQ(to_string(DropReason::source_not_allowed), "source_not_allowed");
  EXPECT_EQ(to_string(DropReason::unknown_path), "unknown_path");
  EXPECT_EQ(to_string(DropReason::unknown_ssrc), "unknown_ssrc");
  EXPECT_EQ(to_string(DropReason::unknown_payload_type), "unknown_payload_type");
  EXPECT_EQ(to_string(DropReason::authentication_failed), "authentication_failed");
  EXPECT_EQ(to_string(DropReason::unknown_mki), "unknown_mki");
  EXPECT_EQ(to_string(DropReason::replayed), "replayed");
  EXPECT_EQ(to_string(DropReason::too_old), "too_old");
  EXPECT_EQ(to_string(DropReason::too_many_ssrcs), "too_many_ssrcs");
  EXPECT_EQ(to_string(DropReason::key_expired), "key_expired");
  EXPECT_EQ(to_string(DropReason::not_nominated), "not_nominated");
  EXPECT_EQ(to_string(DropReason::before_keys), "before_keys");
  EXPECT_EQ(to_string(DropReason::probe), "probe");
  EXPECT_EQ(to_string(DropReason::duplicate_retransmission), "duplicate_retransmission");
  EXPECT_EQ(to_string(DropReason::superseded_source), "superseded_source");
  EXPECT_EQ(to_string(DropReason::no_receiver), "no_receiver");
  EXPECT_EQ(to_string(DropReason::layer_not_watched), "layer_not_watched");
  EXPECT_EQ(to_string(DropReason::waiting_for_key_frame), "waiting_for_key_frame");
  EXPECT_EQ(to_string(DropReason::no_destination), "no_destination");
  EXPECT_EQ(to_string(DropReason::too_long_to_protect), "too_long_to_protect");
  EXPECT_EQ(to_string(DropReason::receive_buffer_full), "receive_buffer_full");
  EXPECT_EQ(to_string(DropReason::send_buffer_full), "send_buffer_full");
  EXPECT_EQ(to_string(DropReason::unreachable), "unreachable");
  EXPECT_EQ(to_string(DropReason::connection_closed), "connection_closed");
  EXPECT_EQ(to_string(DropReason::send_failed), "send_failed");
  EXPECT_EQ(to_string(DropReason::queue_full), "queue_full");
}

TEST(DropCounters, CountEachReasonApart) {
  DropCounters counters;
  EXPECT_EQ(counters.total(), 0u);
  counters.add(DropReason::replayed);
  counters.add(DropReason::replayed, 4);
  counters.add(DropReason::queue_full, 2);
  EXPECT_EQ(counters[DropReason::replayed], 5u);
  EXPECT_EQ(counters[DropReason::queue_full], 2u);
  EXPECT_EQ(counters[DropReason::malformed], 0u);
  EXPECT_EQ(counters.total(), 7u);

  DropCounters others;
  others.add(DropReason::malformed);
  others.add(DropReason::replayed);
  counters += others;
  EXPECT_EQ(counters[DropReason::replayed], 6u);
  EXPECT_EQ(counters[DropReason::malformed], 1u);
  EXPECT_EQ(counters.total(), 9u);
}

}  // namespace
}  // namespace runnel

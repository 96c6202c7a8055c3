#include "core/relay/key_frame_requests.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

const Timestamp kStart{1h};

TEST(KeyFrameRequests, the_first_goes_at_once) {
  KeyFrameRequests requests(500ms);
  EXPECT_TRUE(requests.request(kStart));
  EXPECT_EQ(requests.deadline(), std::nullopt);
}

TEST(KeyFrameRequests, those_within_the_interval_become_one_after_it) {
  KeyFrameRequests requests(500ms);
  EXPECT_TRUE(requests.request(kStart));
  for (int i = 1; i < 500; ++i)
    EXPECT_FALSE(requests.request(kStart + std::chrono::milliseconds(i)));
  EXPECT_EQ(requests.deadline(), kStart + 500ms);
  EXPECT_FALSE(requests.take_due(kStart + 499ms));
  EXPECT_TRUE(requests.take_due(kStart + 500ms));
  EXPECT_FALSE(requests.take_due(kStart + 500ms));
  EXPECT_EQ(requests.deadline(), std::nullopt);
  EXPECT_FALSE(requests.request(kStart + 999ms)) << "the merged one counts too";
  EXPECT_TRUE(requests.take_due(kStart + 1000ms));
}

TEST(KeyFrameRequests, a_new_source_needs_not_be_asked_for_what_the_old_one_was) {
  KeyFrameRequests requests(500ms);
  EXPECT_TRUE(requests.request(kStart));
  EXPECT_FALSE(requests.request(kStart + 1ms));
  requests.forget();
  EXPECT_FALSE(requests.take_due(kStart + 10s));
}

}  // namespace
}  // namespace runnel::relay

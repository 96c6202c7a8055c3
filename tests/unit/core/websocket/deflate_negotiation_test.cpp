// What is agreed about permessage-deflate (RFC 7692 §7.1), by offer and by policy.
#include <gtest/gtest.h>

#include "core/websocket/permessage_deflate.h"

namespace runnel::websocket {
namespace {

std::string accepted(std::string_view offer, const DeflatePolicy& policy = {}) {
  const auto answer = accept_deflate_offer(offer, policy);
  return answer ? answer->extension : "declined";
}

TEST(DeflateOffer, IsAnsweredByWhatItAsksFor) {
  EXPECT_EQ(accepted("permessage-deflate"), "permessage-deflate");
  EXPECT_EQ(accepted("permessage-deflate; client_max_window_bits"), "permessage-deflate");
  EXPECT_EQ(accepted("permessage-deflate; client_max_window_bits=10"),
            "permessage-deflate; client_max_window_bits=10");
  EXPECT_EQ(accepted("permessage-deflate; server_max_window_bits=8"),
            "permessage-deflate; server_max_window_bits=8");
  EXPECT_EQ(accepted("permessage-deflate; server_max_window_bits=\"15\""),
            "permessage-deflate; server_max_window_bits=15");
  EXPECT_EQ(accepted("permessage-deflate; server_no_context_takeover"),
            "permessage-deflate; server_no_context_takeover");
  EXPECT_EQ(accepted("permessage-deflate; client_no_context_takeover; server_no_context_takeover"),
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover");
}

TEST(DeflateOffer, IsBoundedByThePolicy) {
  const DeflatePolicy policy{.server_no_context_takeover = true,
                             .client_no_context_takeover = true,
                             .server_max_window_bits = 12,
                             .client_max_window_bits = 11};
  EXPECT_EQ(accepted("permessage-deflate; client_max_window_bits", policy),
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
            "server_max_window_bits=12; client_max_window_bits=11");
  const auto answer = accept_deflate_offer(
      "permessage-deflate; client_max_window_bits=9; server_max_window_bits=10", policy);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->parameters.client_max_window_bits, 9);
  EXPECT_EQ(answer->parameters.server_max_window_bits, 10);
  // A client that says nothing about its window cannot be told to shrink it.
  EXPECT_EQ(accepted("permessage-deflate", policy), "declined");
}

TEST(DeflateOffer, IsDeclinedWhenMalformed) {
  for (const std::string_view offer :
       {"", "x-webkit-deflate-frame", "permessage-deflate; unknown",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=010",
        "permessage-deflate; server_max_window_bits=10; server_max_window_bits=10",
        "permessage-deflate; client_max_window_bits=0",
        "permessage-deflate; client_max_window_bits; client_max_window_bits=10",
        "permessage-deflate; client_max_window_bits=10; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=abc", "permessage-deflate; ",
        "permessage-deflate; =", "permessage-deflate permessage-deflate"}) {
    EXPECT_EQ(accepted(offer), "declined") << offer;
  }
}

TEST(DeflateOffer, IsTheFirstOfSeveralThatCanBeAccepted) {
  EXPECT_EQ(accepted("permessage-deflate; unknown, x-other, permessage-deflate; "
                     "server_max_window_bits=9, permessage-deflate"),
            "permessage-deflate; server_max_window_bits=9");
}

TEST(DeflateAnswer, BindsAClientThatAskedForLess) {
  const DeflatePolicy policy{.server_no_context_takeover = true,
                             .client_no_context_takeover = false,
                             .server_max_window_bits = 10,
                             .client_max_window_bits = 12};
  EXPECT_EQ(deflate_offer(policy),
            "permessage-deflate; server_no_context_takeover; server_max_window_bits=10; "
            "client_max_window_bits=12");
  const auto agreed = read_deflate_answer(
      "permessage-deflate; server_no_context_takeover; server_max_window_bits=9; "
      "client_max_window_bits=8; client_no_context_takeover",
      policy);
  ASSERT_TRUE(agreed && *agreed);
  EXPECT_EQ(**agreed, (DeflateParameters{true, true, 9, 8}));
  EXPECT_FALSE(read_deflate_answer("permessage-deflate; server_max_window_bits=10", policy));
  EXPECT_FALSE(read_deflate_answer("permessage-deflate; server_no_context_takeover", policy));
  EXPECT_FALSE(read_deflate_answer(
      "permessage-deflate; server_no_context_takeover; server_max_window_bits=11", policy));
  EXPECT_FALSE(
      read_deflate_answer("permessage-deflate; server_no_context_takeover; "
                          "server_max_window_bits=10; client_max_window_bits=13",
                          policy));
}

TEST(DeflateAnswer, MayDeclineAndMustBeOneWellFormedExtension) {
  const auto declined = read_deflate_answer("", {});
  ASSERT_TRUE(declined);
  EXPECT_FALSE(*declined);
  EXPECT_FALSE(read_deflate_answer("permessage-deflate, permessage-deflate", {}));
  EXPECT_FALSE(read_deflate_answer("x-other", {}));
  EXPECT_FALSE(read_deflate_answer("permessage-deflate; client_max_window_bits", {}));
  EXPECT_FALSE(read_deflate_answer("permessage-deflate; unknown", {}));
}

}  // namespace
}  // namespace runnel::websocket

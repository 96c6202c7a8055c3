#include "core/http/router.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum : HandlerId { kList, kShow, kDelete, kSubscription, kSpecial, kRoot, kOwnHead, kOwnGet };

Router sample() {
  Router router;
  router.add(Method::get, "/", kRoot);
  router.add(Method::get, "/v1/streams", kList);
  router.add(Method::get, "/v1/streams/{name}", kShow);
  router.add(Method::delete_, "/v1/streams/{stream}", kDelete);
  router.add(Method::get, "/v1/streams/special", kSpecial);
  router.add(Method::patch, "/v1/streams/{name}/subscriptions/{id}", kSubscription);
  router.add(Method::get, "/own", kOwnGet);
  router.add(Method::head, "/own", kOwnHead);
  return router;
}

RouteMatch matched(Method method, std::string_view path) {
  const Route route = sample().match(method, path);
  const auto* match = std::get_if<RouteMatch>(&route);
  EXPECT_NE(match, nullptr) << path;
  return match != nullptr ? *match : RouteMatch{.handler = 99};
}

template <typename T>
bool is(Method method, std::string_view path) {
  return std::holds_alternative<T>(sample().match(method, path));
}

TEST(Router, FindsHandlersAndCapturesSegments) {
  EXPECT_EQ(matched(Method::get, "/").handler, kRoot);
  EXPECT_EQ(matched(Method::get, "/v1/streams").handler, kList);
  EXPECT_EQ(matched(Method::get, "/v1/streams/cam").handler, kShow);
  EXPECT_EQ(matched(Method::delete_, "/v1/streams/cam").handler, kDelete);
  const RouteMatch subscription = matched(Method::patch, "/v1/streams/cam/subscriptions/7");
  EXPECT_EQ(subscription.handler, kSubscription);
  EXPECT_THAT(subscription.captures, ElementsAre("cam", "7"));
}

TEST(Router, PrefersLiterals) {
  EXPECT_EQ(matched(Method::get, "/v1/streams/special").handler, kSpecial);
  EXPECT_THAT(matched(Method::get, "/v1/streams/special").captures, IsEmpty());
}

TEST(Router, DecodesCapturesOnce) {
  EXPECT_THAT(matched(Method::get, "/v1/streams/live%2Fcam%20%31").captures,
              ElementsAre("live/cam 1"));
  EXPECT_THAT(matched(Method::get, "/v1/streams/%2525").captures, ElementsAre("%25"));
  EXPECT_THAT(matched(Method::get, "/v1/streams/caf%C3%A9").captures, ElementsAre("caf\xC3\xA9"));
  EXPECT_THAT(matched(Method::get, "/v1/streams/a+b").captures, ElementsAre("a+b"));
}

TEST(Router, RefusesSegmentsThatNoNameCanBe) {
  for (const char* bad : {"%00", "a%0Ab", "%7F", "..", ".", "%2e%2E", "%ff", "%C0%AF", "%zz"}) {
    EXPECT_TRUE(is<RouteBadPath>(Method::get, "/v1/streams/" + std::string(bad))) << bad;
  }
}

TEST(Router, KnowsNoOtherPaths) {
  for (const char* path : {"", "*", "v1/streams", "/v1", "/v1/streams/", "/v1//streams", "//",
                           "/v1/streams/a/b", "/v1/streams//subscriptions/1", "/V1/streams"}) {
    EXPECT_TRUE(is<RouteNotFound>(Method::get, path)) << path;
  }
}

TEST(Router, SaysWhichMethodsAPathHas) {
  const Route route = sample().match(Method::post, "/v1/streams/cam");
  const auto* not_allowed = std::get_if<RouteMethodNotAllowed>(&route);
  ASSERT_NE(not_allowed, nullptr);
  EXPECT_THAT(not_allowed->allowed, ElementsAre(Method::get, Method::delete_));
  EXPECT_TRUE(is<RouteMethodNotAllowed>(Method::options, "/v1/streams"));
  EXPECT_TRUE(is<RouteMethodNotAllowed>(Method::unknown, "/"));
}

TEST(Router, AnswersHeadAsGet) {
  EXPECT_EQ(matched(Method::head, "/v1/streams").handler, kList);
  EXPECT_EQ(matched(Method::head, "/own").handler, kOwnHead);
  EXPECT_EQ(matched(Method::get, "/own").handler, kOwnGet);
  EXPECT_TRUE(is<RouteMethodNotAllowed>(Method::head, "/v1/streams/cam/subscriptions/7"));
}

TEST(RouterDeathTest, TakesNoBrokenPattern) {
  Router router = sample();
  EXPECT_DEATH(router.add(Method::get, "v1", 1), "");
  EXPECT_DEATH(router.add(Method::get, "/{}", 1), "");
  EXPECT_DEATH(router.add(Method::get, "/{open", 1), "");
  EXPECT_DEATH(router.add(Method::get, "/v1/streams/{again}", 1), "");
}

}  // namespace
}  // namespace runnel::http

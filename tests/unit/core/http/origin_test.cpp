#include "core/http/origin.h"

#include <gtest/gtest.h>

namespace runnel::http {
namespace {

OriginList list_of(const std::vector<std::string>& origins) {
  const auto list = OriginList::parse(origins);
  EXPECT_TRUE(list) << list.error();
  return list.value_or(OriginList{});
}

TEST(OriginList, AllowsWhatItHolds) {
  const OriginList list =
      list_of({"https://App.example", "http://localhost:8080", "http://[::1]:80"});
  for (const char* origin : {"https://app.example", "HTTPS://APP.EXAMPLE",
                             "https://app.example:443", "http://localhost:8080", "http://[::1]"}) {
    EXPECT_TRUE(list.allows(origin)) << origin;
  }
  for (const char* origin :
       {"http://app.example", "https://app.example:8443", "https://app.example.evil.org",
        "https://evil.org/https://app.example", "https://sub.app.example", "http://localhost",
        "http://localhost:80801", "null", "", "https://app.example, https://evil.org"}) {
    EXPECT_FALSE(list.allows(origin)) << origin;
  }
}

TEST(OriginList, MayAllowEverythingOrNothing) {
  EXPECT_TRUE(OriginList().allows("https://any.example"));
  EXPECT_TRUE(list_of({"https://a.example", "*"}).allows("null"));
  EXPECT_FALSE(list_of({}).allows("https://a.example"));
  EXPECT_TRUE(list_of({"null"}).allows("null"));
}

TEST(OriginList, SaysWhichEntryIsNoOrigin) {
  for (const char* entry : {"app.example", "https://app.example/", "https://", "https://*.example",
                            "://a", "https://a b", ""}) {
    const std::vector<std::string> origins{"https://good.example", entry};
    const auto list = OriginList::parse(origins);
    ASSERT_FALSE(list) << entry;
    EXPECT_TRUE(list.error().starts_with("\"" + std::string(entry) + "\" is not an origin"))
        << list.error();
  }
}

TEST(OriginList, AllowsRequestsThatComeFromNoPage) {
  const OriginList list = list_of({"https://app.example"});
  Request request;
  EXPECT_TRUE(list.allows(request));
  request.headers.add("Origin", "https://app.example");
  EXPECT_TRUE(list.allows(request));
  request.headers.add("Origin", "https://app.example");
  EXPECT_FALSE(list.allows(request));
}

}  // namespace
}  // namespace runnel::http

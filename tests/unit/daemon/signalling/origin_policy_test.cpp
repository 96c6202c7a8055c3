// Which pages may use the server, case by case.
#include "daemon/signalling/origin_policy.h"

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

using Verdict = OriginPolicy::Verdict;

struct Case {
  std::string host;
  std::vector<std::string> origins;
  Verdict verdict;
};

void expect(const OriginPolicy& policy, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    http::Request request;
    request.host = one.host;
    for (const std::string& origin : one.origins) request.headers.add("Origin", origin);
    EXPECT_EQ(policy.judge(request), one.verdict)
        << one.host << " " << (one.origins.empty() ? "" : one.origins[0]);
  }
}

TEST(OriginPolicy, KnowsTheServersOwnPages) {
  expect(OriginPolicy::create({}, false).value(),
         {{"relay.example", {}, Verdict::none},
          {"relay.example", {"https://relay.example"}, Verdict::own},
          {"relay.example:443", {"https://relay.example"}, Verdict::own},
          {"relay.example", {"http://RELAY.example:80"}, Verdict::own},
          {"relay.example:7080", {"http://relay.example:7080"}, Verdict::own},
          {"[::1]:7080", {"http://[::1]:7080"}, Verdict::own},
          {"relay.example:7080", {"http://relay.example:8080"}, Verdict::refused},
          {"relay.example", {"https://relay.example.evil.example"}, Verdict::refused},
          {"relay.example", {"null"}, Verdict::refused},
          {"relay.example", {""}, Verdict::refused},
          {"", {"http://"}, Verdict::refused},
          {"a.example", {"http://a.example", "http://b.example"}, Verdict::refused}});
}

TEST(OriginPolicy, KnowsListedPages) {
  expect(OriginPolicy::create({"https://app.example"}, false).value(),
         {{"relay.example", {"https://app.example"}, Verdict::listed},
          {"relay.example", {"https://app.example:443"}, Verdict::listed},
          {"relay.example", {"http://app.example"}, Verdict::refused}});
  expect(OriginPolicy::create({"*"}, false).value(),
         {{"relay.example", {"https://any.example"}, Verdict::listed}});
  EXPECT_FALSE(OriginPolicy::create({"app.example/path"}, false));
}

// A page can make its own name resolve to a loopback address, but it cannot change the Host field.
TEST(OriginPolicy, AnswersLocalNamesAloneWhereNoTokenProtectsIt) {
  expect(OriginPolicy::create({"*"}, true).value(),
         {{"localhost", {}, Verdict::none},
          {"LocalHost:7080", {}, Verdict::none},
          {"127.0.0.1:7080", {}, Verdict::none},
          {"127.1.2.3", {}, Verdict::none},
          {"[::1]", {}, Verdict::none},
          {"", {}, Verdict::none},
          {"localhost:7080", {"http://localhost:7080"}, Verdict::own},
          {"evil.example:7080", {"http://evil.example:7080"}, Verdict::foreign_host},
          {"localhost.evil.example", {}, Verdict::foreign_host},
          {"192.0.2.1", {}, Verdict::foreign_host},
          {"[2001:db8::1]:80", {}, Verdict::foreign_host},
          {"[::1", {}, Verdict::foreign_host}});
}

}  // namespace
}  // namespace runnel::daemon

// Names become addresses of the family that the sending port has.
#include "daemon/resolver.h"

#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "tests/unit/daemon/run_until.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Applied {
  relay::ReceiverMediumId receiver;
  SocketAddress rtp;
  SocketAddress rtcp;
};

config::Endpoint endpoint(const char* host, std::uint16_t port) {
  return {.host = host, .port = port, .origin = {"test.yaml", 7, "send"}};
}

class ResolverTest : public testing::Test {
 protected:
  Resolver::Apply remember(bool answer = true) {
    return [this, answer](const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                          const SocketAddress& rtcp) {
      applied_.push_back({receiver, rtp, rtcp});
      return answer;
    };
  }
  std::string logged() {
    log_.close();
    return stream_.str();
  }

  std::ostringstream stream_;
  Log log_{config::LogLevel::info, config::LogFormat::text,
           std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)};
  EventLoop loop_;
  std::vector<Applied> applied_;
};

TEST_F(ResolverTest, GivesEveryReceiverOfANameItsAddress) {
  Resolver resolver(loop_,
                    {{{0, 0, 0}, endpoint("localhost", 6000), endpoint("localhost", 6001), true},
                     {{0, 1, 0}, endpoint("localhost", 7000), endpoint("127.0.0.9", 7001), true}},
                    remember(), log_);
  resolver.start();
  EXPECT_TRUE(resolver.is_busy());
  run_until(loop_, [&] { return applied_.size() == 2; });
  ASSERT_EQ(applied_.size(), 2u);
  EXPECT_EQ(applied_[0].receiver, (relay::ReceiverMediumId{0, 0, 0}));
  EXPECT_EQ(applied_[0].rtp.to_string(), "127.0.0.1:6000");
  EXPECT_EQ(applied_[0].rtcp.to_string(), "127.0.0.1:6001");
  EXPECT_EQ(applied_[1].rtp.to_string(), "127.0.0.1:7000");
  EXPECT_EQ(applied_[1].rtcp.to_string(), "127.0.0.9:7001");
  EXPECT_FALSE(resolver.is_busy());
  EXPECT_THAT(logged(), HasSubstr("localhost is 127.0.0.1"));
}

TEST_F(ResolverTest, SaysOnceThatANameIsUnknown) {
  // Too long for DNS (RFC 1035 §2.3.4), so that no server is asked.
  const std::string name(300, 'x');
  Resolver resolver(loop_,
                    {{{0, 0, 0}, endpoint(name.c_str(), 6000), endpoint(name.c_str(), 6001), true}},
                    remember(), log_);
  resolver.start();
  run_until(loop_, [&] { return !resolver.is_busy(); });
  EXPECT_TRUE(applied_.empty());
  EXPECT_THAT(logged(), HasSubstr("cannot find an IPv4 address of xxx"));
}

TEST_F(ResolverTest, SaysThatAnAddressIsTaken) {
  Resolver resolver(loop_,
                    {{{0, 0, 0}, endpoint("localhost", 6000), endpoint("localhost", 6001), true}},
                    remember(false), log_);
  resolver.start();
  run_until(loop_, [&] { return !applied_.empty(); });
  EXPECT_THAT(logged(), HasSubstr("test.yaml:7: send: 127.0.0.1:6000 already belongs to another"));
}

TEST_F(ResolverTest, AsksAgainForAnAddressThatWasTaken) {
  int refusals = 3;
  const auto apply = [&](const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                         const SocketAddress& rtcp) {
    applied_.push_back({receiver, rtp, rtcp});
    return refusals-- <= 0;
  };
  int rounds_after = 0;
  Resolver resolver(loop_,
                    {{{0, 0, 0}, endpoint("localhost", 6000), endpoint("localhost", 6001), true}},
                    apply, log_, {.retry = 1ms, .refresh = 1ms});
  resolver.start();
  run_until(loop_, [&] { return applied_.size() >= 4 && ++rounds_after == 20; });
  EXPECT_EQ(applied_.size(), 4u) << "three refusals, then it has its address and keeps it";
  for (const Applied& applied : applied_) EXPECT_EQ(applied.rtp.to_string(), "127.0.0.1:6000");
  const std::string log = logged();
  const std::size_t warning = log.find("127.0.0.1:6000 already belongs to another");
  ASSERT_NE(warning, std::string::npos);
  EXPECT_EQ(log.find("already belongs", warning + 20), std::string::npos) << "said once: " << log;
  EXPECT_THAT(log.substr(warning), HasSubstr("127.0.0.1:6000 is free now and receives"));
}

TEST_F(ResolverTest, MayGoAwayBeforeItsAnswers) {
  auto resolver = std::make_unique<Resolver>(
      loop_,
      std::vector<NamedDestination>{
          {{0, 0, 0}, endpoint("localhost", 6000), endpoint("localhost", 6001), true}},
      remember(), log_);
  resolver->start();
  resolver.reset();
  EXPECT_TRUE(applied_.empty());
}

}  // namespace
}  // namespace runnel::daemon

// What is announced follows names and interfaces, and the log tells of it.
#include "daemon/announcer.h"

#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "tests/unit/daemon/run_until.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;

class AnnouncerTest : public testing::Test {
 protected:
  Announcer announcer(std::vector<std::string> entries) {
    return Announcer(
        loop_, std::move(entries), {IpAddress::v4({0, 0, 0, 0})},
        [this](const std::vector<IpAddress>& addresses) { applied_.push_back(addresses); }, log_,
        {.retry = 1ms, .refresh = 1ms});
  }
  std::string logged() {
    log_.close();
    return stream_.str();
  }

  std::ostringstream stream_;
  Log log_{config::LogLevel::info, config::LogFormat::text,
           std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)};
  EventLoop loop_;
  std::vector<std::vector<IpAddress>> applied_;
};

TEST_F(AnnouncerTest, AppliesWhatNeedsNoLookUpAtOnce) {
  Announcer announcer = this->announcer({"192.0.2.7"});
  announcer.start();
  ASSERT_EQ(applied_.size(), 1u);
  EXPECT_EQ(applied_[0], std::vector{IpAddress::v4({192, 0, 2, 7})});
  EXPECT_FALSE(announcer.is_busy());
  EXPECT_THAT(logged(), HasSubstr("announcing 192.0.2.7 (as configured)"));
}

TEST_F(AnnouncerTest, AddsANameOnceItIsResolvedAndRepeatsNothing) {
  Announcer announcer = this->announcer({"192.0.2.7", "localhost"});
  announcer.start();
  EXPECT_TRUE(announcer.is_busy());
  run_until(loop_, [&] { return applied_.size() == 2; });
  ASSERT_EQ(applied_.size(), 2u);
  EXPECT_THAT(applied_[1], Contains(IpAddress::v4({127, 0, 0, 1})));
  int rounds = 0;
  run_until(loop_, [&] { return ++rounds == 20; });
  EXPECT_EQ(applied_.size(), 2u) << "further look-ups told nothing new";
  EXPECT_THAT(logged(), HasSubstr("(localhost)"));
}

TEST_F(AnnouncerTest, SaysOnceThatANameIsUnknown) {
  // Too long for DNS (RFC 1035 §2.3.4), so that no server is asked.
  const std::string name(300, 'x');
  Announcer announcer = this->announcer({name});
  announcer.start();
  int rounds = 0;
  run_until(loop_, [&] { return ++rounds == 20; });
  const std::string log = logged();
  const std::size_t warning = log.find("announce: cannot find an address of xxx");
  ASSERT_NE(warning, std::string::npos);
  EXPECT_THAT(log, HasSubstr("it is not announced"));
  EXPECT_EQ(log.find("cannot find", warning + 20), std::string::npos) << "said once: " << log;
}

TEST_F(AnnouncerTest, MayGoAwayBeforeItsAnswers) {
  {
    Announcer announcer = this->announcer({"localhost"});
    announcer.start();
  }
  EXPECT_TRUE(applied_.empty());
}

}  // namespace
}  // namespace runnel::daemon

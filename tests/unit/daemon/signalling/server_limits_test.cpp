// More clients than may be, or than the machine has descriptors for.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/unit/daemon/signalling/serving.h"

namespace runnel::daemon {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kGetHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

ServingOptions with_limits(std::size_t connections, std::size_t per_address) {
  ServingOptions options;
  options.server.connections = connections;
  options.server.connections_per_address = per_address;
  return options;
}

void expect_the_third_refused(ServingOptions options, const std::string& why) {
  Serving serving(std::move(options));
  TcpClient one(serving.address());
  TcpClient two(serving.address());
  for (TcpClient* client : {&one, &two}) {
    client->send(kGetHealth);
    EXPECT_TRUE(serving.run_until_received(*client, "ok\n"));
  }
  EXPECT_THAT(serving.answer_to(kGetHealth),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("Retry-After: 5\r\n"), HasSubstr(why)));
  EXPECT_EQ(serving.server().statistics().refused, 1u);
  one.close();
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 1; }));
  EXPECT_THAT(serving.answer_to(get("/healthz")), EndsWith("ok\n")) << "there is room again";
  EXPECT_THAT(serving.log(), HasSubstr("signalling connections are refused"));
}

TEST(ServerLimits, RefusesAConnectionTooMany) {
  expect_the_third_refused(with_limits(2, 2), "the server has as many connections");
}

TEST(ServerLimits, RefusesAConnectionTooManyOfAnAddress) {
  expect_the_third_refused(with_limits(10, 2), "this address has as many connections");
}

TEST(ServerLimits, ServesManyMoreThanOneWakeUpTakes) {
  Serving serving;
  std::vector<std::unique_ptr<TcpClient>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<TcpClient>(serving.address()));
    clients.back()->send(kGetHealth);
  }
  for (const auto& client : clients) EXPECT_TRUE(serving.run_until_received(*client, "ok\n"));
  EXPECT_EQ(serving.server().statistics().connections, 200u);
}

/// Lets the process open no more descriptors, for a while.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    write_a_line();
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const FileDescriptor next(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(next.get());
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~NoMoreDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  // UBSan looks through a pipe at objects of a type that it has not met before, such as those that
  // write log lines.
  static void write_a_line() {
    std::ostringstream text;
    Log log(config::LogLevel::info, config::LogFormat::text,
            std::make_shared<spdlog::sinks::ostream_sink_mt>(text));
    log.info("a line");
    log.close();
  }

  rlimit before_{};
};

TEST(ServerLimits, WaitsForDescriptors) {
  Serving serving;
  TcpClient first(serving.address());
  first.send(kGetHealth);
  ASSERT_TRUE(serving.run_until_received(first, "ok\n"));
  TcpClient second(serving.address());
  second.send(kGetHealth);
  {
    const NoMoreDescriptors none;
    int rounds = 0;
    serving.run_until([&] { return ++rounds == 20; });
    EXPECT_EQ(second.received(), "");
    first.send(kGetHealth);
    EXPECT_TRUE(serving.run_until([&] { return count_of(first.received(), "ok\n") == 2; }))
        << "others are served meanwhile";
    // The descriptor of the first is what the second needs.
    first.close();
    EXPECT_TRUE(serving.run_until_received(second, "ok\n"));
  }
  const std::string log = serving.log();
  EXPECT_EQ(count_of(log, "cannot take another signalling connection"), 1u);
}

TEST(ServerLimits, TriesAgainAfterARest) {
  Serving serving;
  TcpClient client(serving.address());
  client.send(kGetHealth);
  {
    const NoMoreDescriptors none;
    int rounds = 0;
    serving.run_until([&] { return ++rounds == 20; });
  }
  EXPECT_TRUE(serving.run_until_received(client, "ok\n"));
}

}  // namespace
}  // namespace runnel::daemon

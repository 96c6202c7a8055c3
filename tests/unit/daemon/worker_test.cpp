// The loop as a whole, on real sockets: packets come out of the other end, trouble with one does
// not touch the others, and a packet costs no allocation.
#include "daemon/worker.h"

#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "core/rtp/rtcp_packet.h"
#include "daemon/entropy.h"
#include "daemon/port_binding.h"
#include "daemon/relay_setup.h"
#include "tests/unit/daemon/allocation_counter.h"
#include "tests/unit/daemon/configured.h"
#include "tests/unit/daemon/loopback.h"
#include "tests/unit/daemon/run_until.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// An RTP packet of PCMU (payload type 0).
std::string rtp(std::uint16_t sequence_number, std::size_t payload_size = 160) {
  std::string packet(12 + payload_size, '\x55');
  auto* bytes = reinterpret_cast<std::uint8_t*>(packet.data());
  bytes[0] = 0x80;
  bytes[1] = 0;
  store_be16(bytes + 2, sequence_number);
  store_be32(bytes + 4, sequence_number * 160u);
  store_be32(bytes + 8, 0x1234abcd);
  return packet;
}

ByteView bytes_of(const std::string& datagram) {
  return {reinterpret_cast<const std::uint8_t*>(datagram.data()), datagram.size()};
}

std::uint32_t ssrc_of(const std::string& rtp_packet) {
  return load_be32(bytes_of(rtp_packet).data() + 8);
}

// Of all BYEs in a compound packet.
std::vector<std::uint32_t> ssrcs_that_leave(const std::string& compound) {
  EXPECT_TRUE(rtp::check_rtcp(bytes_of(compound)));
  std::vector<std::uint32_t> ssrcs;
  rtp::RtcpReader reader(bytes_of(compound));
  while (const auto packet = reader.next()) {
    for (std::size_t i = 0; i < rtp::goodbye_ssrc_count(*packet); ++i) {
      ssrcs.push_back(rtp::goodbye_ssrc(*packet, i));
    }
  }
  return ssrcs;
}

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    auto setup = describe_relays(config_, plan_);
    EXPECT_TRUE(setup);
    auto bound = bind_ports(plan_, config_.limits);
    EXPECT_TRUE(bound) << bound.error().front().to_string();
    EXPECT_TRUE(add_relays(engine_, config_, plan_, *setup).empty());
    worker_.emplace(loop_, engine_, std::move(bound->sockets), SocketCapabilities{}, events_);
    EXPECT_TRUE(worker_->start());
  }

  // Two receivers on one shared port, and one that is not there.
  config::Config make_config() const {
    const auto text = [](const SocketAddress& address) { return address.to_string(); };
    return configured("listen: {media: \"" + text(shared_) + "\"}\n" +
                      "relays:\n  - stream: hall\n    from: {rtp: {media: [{kind: audio, "
                      "payload_type: 0, rtcp_mux: true, listen: \"" +
                      text(ingress_) + "\"}]}}\n    to:\n" + output(one_.local_address()) +
                      output(nobody_) + output(two_.local_address()));
  }
  static std::string output(const SocketAddress& address) {
    return "      - rtp: {media: [{kind: audio, rtcp_mux: true, send: \"" + address.to_string() +
           "\"}]}\n";
  }

  bool run_until_sent(std::uint64_t packets) {
    return run_until(loop_, [&] {
      const auto statistics = engine_.statistics(0);
      return statistics.to[0].media[0].packets >= packets &&
             statistics.to[2].media[0].packets >= packets;
    });
  }
  void publish(const std::string& packet) { send_to(source_, ingress_, packet); }

  UdpSocket one_ = bind_or_die("127.0.0.1:0");
  UdpSocket two_ = bind_or_die("127.0.0.1:0");
  UdpSocket source_ = bind_or_die("127.0.0.1:0");
  SocketAddress nobody_ = abandoned_address();
  SocketAddress shared_ = abandoned_address();
  SocketAddress ingress_ = abandoned_address();
  config::Config config_ = make_config();
  PortPlan plan_{config_, true};
  std::ostringstream stream_;
  Log log_{config::LogLevel::info, config::LogFormat::text,
           std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)};
  EventLoop loop_;
  SystemRandom random_;
  relay::Engine engine_{engine_limits(config_), random_};
  EventLog events_{log_, config_, engine_};
  std::optional<Worker> worker_;
};

TEST_F(WorkerTest, RelaysToEveryReceiverAlthoughOneIsGone) {
  for (std::uint16_t i = 0; i < 100; ++i) {
    publish(rtp(i));
    if (i % 10 == 9) {
      EXPECT_TRUE(run_until_sent(i + 1u));
    }
  }
  for (const UdpSocket* receiver : {&one_, &two_}) {
    for (int i = 0; i < 100; ++i) ASSERT_EQ(next_datagram(*receiver).size(), rtp(0).size());
    EXPECT_TRUE(is_silent(*receiver));
  }
  EXPECT_TRUE(run_until(loop_, [&] {
    return engine_.statistics(0).to[1].media[0].drops[DropReason::unreachable] > 0;
  }));
  EXPECT_EQ(engine_.statistics(0).to[0].media[0].drops.total(), 0u);
  log_.close();
  EXPECT_THAT(stream_.str(), HasSubstr("hall: audio has started"));
  EXPECT_THAT(stream_.str(), HasSubstr("hall output 2: the network cannot reach the receiver"));
}

TEST_F(WorkerTest, CountsGarbageAndGoesOn) {
  publish("garbage");
  publish(std::string(60'000, '\x80'));
  publish("");
  publish(rtp(1));
  EXPECT_TRUE(run_until_sent(1));
  const auto drops = engine_.statistics(0).from[0].drops;
  EXPECT_EQ(drops[DropReason::oversized], 1u);
  EXPECT_GE(drops.total() + engine_.stray_drops().total(), 3u);
}

TEST_F(WorkerTest, TakesMoreThanOneBatchOfAWakeUp) {
  one_.set_receive_buffer(4 * 1024 * 1024);
  two_.set_receive_buffer(4 * 1024 * 1024);
  constexpr std::uint16_t kCount = 3 * UdpReceiver::kBatch + 5;
  for (std::uint16_t i = 0; i < kCount; ++i) publish(rtp(i, 1'000));
  EXPECT_TRUE(run_until_sent(kCount));
  for (std::uint16_t i = 0; i < kCount; ++i) ASSERT_EQ(next_datagram(one_).size(), 1'012u);
}

TEST_F(WorkerTest, SaysGoodbyeToReceivers) {
  publish(rtp(1));
  EXPECT_TRUE(run_until_sent(1));
  const std::string media = next_datagram(one_);
  ASSERT_EQ(media.size(), rtp(1).size());
  worker_->shut_down();
  const std::string goodbye = next_datagram(one_);
  EXPECT_EQ(ssrcs_that_leave(goodbye), std::vector{ssrc_of(media)})
      << "a BYE (RFC 3550 §6.6) for the SSRC that we have sent";
  worker_->shut_down();
  EXPECT_TRUE(is_silent(one_));
}

TEST_F(WorkerTest, TellsTheEngineWhatTheKernelHasThrownAway) {
  worker_->count_receive_overflows();
  const std::uint64_t before = engine_.statistics(0).from[0].drops[DropReason::receive_buffer_full];
  for (int i = 0; i < 30'000; ++i) publish(rtp(1, 1'200));
  worker_->count_receive_overflows();
  const std::uint64_t lost =
      engine_.statistics(0).from[0].drops[DropReason::receive_buffer_full] - before;
  EXPECT_GT(lost, 0u);
  worker_->count_receive_overflows();
  EXPECT_EQ(engine_.statistics(0).from[0].drops[DropReason::receive_buffer_full] - before, lost);
}

TEST(AllocationCounter, CountsWhatTheCLibrariesAskFor) {
  if (!malloc_is_counted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const std::uint64_t before = allocations_of_this_thread();
  uv_loop_t loop;
  ASSERT_EQ(uv_loop_init(&loop), 0);
  EXPECT_GT(allocations_of_this_thread(), before);
  EXPECT_EQ(uv_loop_close(&loop), 0);
}

TEST_F(WorkerTest, AllocatesNothingForAPacket) {
  if (!new_is_counted()) GTEST_SKIP() << "ThreadSanitizer has operator new for itself";
  // Rounds of packets until they have left, through the loop, without the statistics that allocate.
  std::uint64_t in_rounds = 0;
  std::uint16_t sequence_number = 0;
  const auto round = [&] {
    const std::string packet = rtp(++sequence_number);
    publish(packet);
    const std::uint64_t before = allocations_of_this_thread();
    while (is_silent(one_)) uv_run(loop_.get(), UV_RUN_NOWAIT);
    in_rounds += allocations_of_this_thread() - before;
    is_silent(two_);
  };
  for (int i = 0; i < 300; ++i) round();
  in_rounds = 0;
  for (int i = 0; i < 1'000; ++i) round();
  EXPECT_EQ(in_rounds, 0u);
}

}  // namespace
}  // namespace runnel::daemon

// What one datagram of STUN costs: of a stranger (as in a flood), and of a peer.
#include <array>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/ice/agent.h"
#include "core/stun/message_writer.h"

namespace runnel::ice {
namespace {

const Credentials kLocal{.ufrag = "srvUfrag", .password = "srvpasswordsrvpassword12"};
using Buffer = std::array<std::uint8_t, stun::kMaxMessageSize>;

/// As Chromium writes it: 100 bytes.
ByteView check(Buffer& buffer, std::string_view password) {
  stun::MessageWriter writer(buffer, stun::MessageClass::request, stun::kBinding, {1, 2, 3});
  writer.username(kLocal.ufrag, "cliU");
  writer.attribute(stun::AttributeType{0xc057}, std::array<std::uint8_t, 4>{0, 0, 3, 0xe7});
  writer.ice_controlling(7);
  writer.use_candidate();
  writer.priority(0x6e7f1eff);
  writer.message_integrity(stun::integrity_key(password));
  writer.fingerprint();
  return writer.finish().value();
}

// All that a request under an unknown user name costs here: reading, and looking for the name.
void read_message(benchmark::State& state) {
  Buffer buffer;
  const ByteView datagram = check(buffer, kLocal.password);
  for (auto _ : state) {
    const auto message = stun::MessageView::parse(datagram);
    benchmark::DoNotOptimize(split_username(*message->username()));
  }
}
BENCHMARK(read_message);

void handle_check(benchmark::State& state, std::string_view password) {
  Buffer buffer;
  const ByteView datagram = check(buffer, password);
  Agent agent(kLocal);
  std::array<std::uint8_t, kMaxResponseSize> room;
  for (auto _ : state) {
    const auto message = stun::MessageView::parse(datagram);
    benchmark::DoNotOptimize(agent.handle_request({}, {}, *message, room));
  }
  RUNNEL_CHECK(agent.selected().has_value() == (password == kLocal.password));
}
BENCHMARK_CAPTURE(handle_check, answered, kLocal.password);
BENCHMARK_CAPTURE(handle_check, forged, "guessedguessedguessed1");

}  // namespace
}  // namespace runnel::ice

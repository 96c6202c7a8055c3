// WebSocket frames: whatever a peer sends, cut however it is, the same events come out, limits
// hold, and text that is told is UTF-8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/utf8.h"
#include "core/websocket/connection.h"

namespace {

using namespace runnel;
using namespace runnel::websocket;

constexpr Limits kLimits{
    .max_frame_size = 2048, .max_message_size = 4096, .max_fragments = 8, .kept_buffer_size = 512};
constexpr std::size_t kCuts = 8;

class FixedKeys : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override { std::ranges::fill(out, std::uint8_t{0x5a}); }
};

/// What a connection has told, one after the other.
struct Story {
  std::string told;
  std::size_t closed = 0;

  void tell(char kind, ByteView payload) {
    told += kind;
    told += std::to_string(payload.size()) + ':';
    told.append(payload.begin(), payload.end());
  }
  void operator()(const Message& message) {
    RUNNEL_CHECK(message.payload.size() <= kLimits.max_message_size);
    const bool is_text = message.opcode == Opcode::text;
    RUNNEL_CHECK(!is_text || is_valid_utf8(message.payload));
    tell(is_text ? 't' : 'b', message.payload);
  }
  void operator()(const Ping& ping) { tell('p', ping.payload); }
  void operator()(const Pong& pong) { tell('q', pong.payload); }
  void operator()(const Closed& end) {
    ++closed;
    told += 'c' + std::to_string(static_cast<unsigned>(end.code));
    RUNNEL_CHECK(!end.error || close_code(*end.error) == end.code);
  }
};

/// Receives `wire` in pieces whose sizes the cuts give in turn; 0 is as much as there is.
std::string story_of(Role role, bool deflate, ByteView wire, ByteView cuts) {
  FixedKeys keys;
  Connection connection({}, {.role = role,
                             .limits = kLimits,
                             .deflate = deflate ? std::optional(DeflateParameters{}) : std::nullopt,
                             .masking_keys = &keys});
  Story story;
  for (std::size_t turn = 0; !wire.empty(); ++turn) {
    const std::size_t cut = cuts.empty() ? 0 : cuts[turn % cuts.size()];
    const std::size_t size = cut == 0 ? wire.size() : std::min(cut, wire.size());
    // Memory of its own, so that a step outside is seen.
    std::vector<std::uint8_t> piece(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(size));
    wire = wire.subspan(size);
    connection.receive({}, piece);
    while (const auto event = connection.next()) std::visit(story, *event);
  }
  RUNNEL_CHECK(story.closed <= 1 && connection.is_open() == (story.closed == 0));
  const ByteView output = connection.take_output();
  story.told.append(output.begin(), output.end());
  RUNNEL_CHECK(connection.memory() <= std::size_t{100} << 10);
  return story.told;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 + kCuts) return 0;
  const Role role = (data[0] & 1) != 0 ? Role::client : Role::server;
  const bool deflate = (data[0] & 2) != 0;
  const ByteView cuts(data + 1, kCuts);
  const ByteView wire(data + 1 + kCuts, size - 1 - kCuts);
  RUNNEL_CHECK(story_of(role, deflate, wire, {}) == story_of(role, deflate, wire, cuts));
  return 0;
}

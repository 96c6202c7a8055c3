// permessage-deflate: no offer or answer agrees to what must not be, and what is agreed carries
// messages both ways; rubbish is not decompressed beyond the limit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/websocket/permessage_deflate.h"

namespace {

using namespace runnel;
using namespace runnel::websocket;

constexpr std::size_t kMaxSize = 8192;

constexpr bool are_window_bits(std::uint8_t bits) noexcept {
  return bits >= 8 && bits <= 15;
}

DeflatePolicy policy_from(std::uint8_t flags, std::uint8_t bits) {
  return {.server_no_context_takeover = (flags & 1) != 0,
          .client_no_context_takeover = (flags & 2) != 0,
          .server_max_window_bits = static_cast<std::uint8_t>(8 + bits % 8),
          .client_max_window_bits = static_cast<std::uint8_t>(8 + bits / 8 % 8)};
}

void check(const DeflateParameters& agreed, const DeflatePolicy& policy) {
  RUNNEL_CHECK(are_window_bits(agreed.server_max_window_bits));
  RUNNEL_CHECK(are_window_bits(agreed.client_max_window_bits));
  RUNNEL_CHECK(agreed.server_max_window_bits <= policy.server_max_window_bits);
  RUNNEL_CHECK(agreed.client_max_window_bits <= policy.client_max_window_bits);
  RUNNEL_CHECK(agreed.server_no_context_takeover || !policy.server_no_context_takeover);
  RUNNEL_CHECK(agreed.client_no_context_takeover || !policy.client_no_context_takeover);
}

void round_trip(const DeflateParameters& agreed, ByteView message) {
  Deflater deflater(agreed.server_max_window_bits, !agreed.server_no_context_takeover,
                    {.level = 6, .memory_level = 1});
  Inflater inflater(agreed.server_max_window_bits, !agreed.server_no_context_takeover);
  for (int i = 0; i < 2; ++i) {
    ByteBuffer compressed;
    ByteBuffer out;
    RUNNEL_CHECK(deflater.compress(message, compressed));
    RUNNEL_CHECK(inflater.decompress(compressed.view(), out, message.size()).has_value());
    RUNNEL_CHECK(inflater.finish(out, message.size()).has_value());
    RUNNEL_CHECK(std::ranges::equal(out.view(), message));
  }
}

void decompress_rubbish(std::uint8_t bits, ByteView rubbish) {
  Inflater inflater(static_cast<std::uint8_t>(8 + bits % 8), true);
  ByteBuffer out;
  if (inflater.decompress(rubbish, out, kMaxSize)) {
    static_cast<void>(inflater.finish(out, kMaxSize));
  }
  RUNNEL_CHECK(out.size() <= kMaxSize + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const DeflatePolicy policy = policy_from(data[0], data[1]);
  const ByteView rest(data + 2, size - 2);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  if (const auto answer = accept_deflate_offer(text, policy)) {
    check(answer->parameters, policy);
    round_trip(answer->parameters, rest);
    // A client that offered the same takes the answer for what it is.
    const auto read = read_deflate_answer(answer->extension, DeflatePolicy{});
    RUNNEL_CHECK(read && *read && **read == answer->parameters);
  }
  if (const auto answer = read_deflate_answer(text, policy); answer && *answer) {
    check(**answer, policy);
  }
  decompress_rubbish(data[1], rest);
  return 0;
}

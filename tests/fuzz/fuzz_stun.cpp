// STUN: the reader looks at nothing outside a message, what it accepts can be written again, and a
// lite agent takes nothing from it without the right MESSAGE-INTEGRITY.
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/ice/agent.h"
#include "core/stun/message_writer.h"

namespace {

using namespace runnel;

constexpr std::size_t kTypes = 8;

/// Reads each byte, so that a view that runs over the end is noticed.
std::uint32_t sum_of(ByteView bytes) {
  std::uint32_t sum = 0;
  for (const std::uint8_t byte : bytes) sum += byte;
  return sum;
}

std::uint32_t sum_of(std::string_view text) {
  return sum_of(ByteView(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::uint32_t look_at(const stun::MessageView& message) {
  std::array<stun::AttributeType, kTypes> types;
  std::uint32_t sum = message.priority().value_or(0);
  sum += static_cast<std::uint32_t>(message.ice_controlling().value_or(0));
  sum += static_cast<std::uint32_t>(message.ice_controlled().value_or(0));
  sum += sum_of(message.username().value_or("")) + sum_of(message.software().value_or(""));
  if (const auto address = message.xor_mapped_address()) sum += sum_of(address->ip.bytes());
  if (const auto error = message.error()) {
    const auto code = static_cast<unsigned>(error->code);
    RUNNEL_CHECK(code >= 300 && code < 700);
    sum += sum_of(error->reason);
  }
  RUNNEL_CHECK(message.unknown_attributes(types) <= kTypes);
  RUNNEL_CHECK(message.not_understood(types) <= kTypes);
  return sum + (message.use_candidate() ? 1 : 0);
}

/// The same attributes under a key of ours.
ByteView written_again(const stun::MessageView& message, const crypto::HmacSha1Key& key,
                       ByteSpan out) {
  stun::MessageWriter writer(out, message.message_class(), message.method(),
                             message.transaction_id());
  stun::AttributeReader reader = message.attributes();
  while (const auto attribute = reader.next()) {
    if (attribute->type == stun::AttributeType::fingerprint) break;
    writer.attribute(attribute->type, attribute->value);
  }
  writer.message_integrity(key);
  writer.fingerprint();
  return writer.finish().value_or(ByteView{});
}

void expect_same(const stun::MessageView& a, const stun::MessageView& b) {
  RUNNEL_CHECK(a.message_class() == b.message_class() && a.method() == b.method());
  RUNNEL_CHECK(a.transaction_id() == b.transaction_id());
  RUNNEL_CHECK(a.username() == b.username() && a.priority() == b.priority());
  RUNNEL_CHECK(a.use_candidate() == b.use_candidate());
  RUNNEL_CHECK(a.xor_mapped_address() == b.xor_mapped_address());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto message = stun::MessageView::parse({data, size});
  if (!message) return 0;
  [[maybe_unused]] volatile std::uint32_t keep = look_at(*message);

  // Nobody can guess this one.
  ice::Agent guarded({.ufrag = "srvU", .password = "fuzzersdonotknowthispassword"});
  std::array<std::uint8_t, ice::kMaxResponseSize> room;
  RUNNEL_CHECK(!guarded.handle_request({}, {}, *message, room).has_value());
  RUNNEL_CHECK(guarded.paths().empty() && !guarded.selected());

  const ice::Credentials known{.ufrag = "srvU", .password = "srvpasswordsrvpassword12"};
  const crypto::HmacSha1Key key = stun::integrity_key(known.password);
  std::array<std::uint8_t, stun::kMaxMessageSize> buffer;
  const ByteView again = written_again(*message, key, buffer);
  if (again.empty()) return 0;
  const auto read_again = stun::MessageView::parse(again);
  RUNNEL_CHECK(read_again.has_value() && read_again->is_authentic(key));
  expect_same(*message, *read_again);

  ice::Agent agent(known);
  const auto outcome = agent.handle_request({}, {}, *read_again, room);
  if (!outcome) return 0;
  const auto response = stun::MessageView::parse(outcome->response);
  RUNNEL_CHECK(response.has_value() && response->is_authentic(key));
  RUNNEL_CHECK(response->transaction_id() == message->transaction_id());
  RUNNEL_CHECK(outcome->selected == agent.selected().has_value());
  return 0;
}

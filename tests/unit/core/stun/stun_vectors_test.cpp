// Messages of the RFCs, of browsers and of attackers, against what they are known to mean.
#include <gtest/gtest.h>

#include "core/stun/message_view.h"
#include "tests/unit/core/stun/vectors.h"

namespace runnel::stun {
namespace {

using nlohmann::json;

MessageClass class_named(const std::string& name) {
  if (name == "request") return MessageClass::request;
  if (name == "indication") return MessageClass::indication;
  if (name == "success") return MessageClass::success_response;
  return MessageClass::error_response;
}

std::uint16_t type_of(const json& attribute) {
  return static_cast<std::uint16_t>(
      std::stoul(attribute.at("type").get<std::string>(), nullptr, 16));
}

/// Those that count: up to MESSAGE-INTEGRITY.
void expect_attributes(const MessageView& message, const json& expected) {
  AttributeReader reader = message.attributes();
  for (const json& wanted : expected) {
    const auto type = static_cast<AttributeType>(type_of(wanted));
    if (type == AttributeType::message_integrity ||
        type == AttributeType::message_integrity_sha256) {
      break;
    }
    const auto attribute = reader.next();
    ASSERT_TRUE(attribute.has_value());
    EXPECT_EQ(attribute->type, type);
    EXPECT_EQ(to_hex(attribute->value), wanted.at("value").get<std::string>());
    const bool is_first = message.find(type)->data() == attribute->value.data();
    if (type == AttributeType::username && is_first && wanted.contains("text")) {
      EXPECT_EQ(message.username(), wanted.at("text").get<std::string>());
    }
    if (type == AttributeType::software) {
      EXPECT_EQ(message.software(), wanted.at("text").get<std::string>());
    }
    if (wanted.contains("address")) {
      ASSERT_TRUE(message.xor_mapped_address().has_value());
      const SocketAddress address = *message.xor_mapped_address();
      EXPECT_EQ(address.ip.to_string() + " " + std::to_string(address.port),
                wanted.at("address").get<std::string>());
    }
  }
  EXPECT_FALSE(reader.next().has_value());
}

void expect_message(const MessageView& message, const json& vector) {
  EXPECT_EQ(message.message_class(), class_named(vector.at("class")));
  EXPECT_EQ(message.method(), vector.at("method"));
  EXPECT_EQ(to_hex(message.transaction_id()), vector.at("transaction_id").get<std::string>());
  EXPECT_EQ(message.has_fingerprint(), vector.at("fingerprint").get<bool>());
  expect_attributes(message, vector.at("attributes"));
}

TEST(StunVectors, EachMessageIsReadOrRefusedForTheRightReason) {
  std::size_t count = 0;
  for (const json& vector : load_vectors()) {
    SCOPED_TRACE(vector.at("id").get<std::string>());
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    const auto message = MessageView::parse(packet);
    const std::string outcome(message ? "ok" : to_string(message.error()));
    EXPECT_EQ(outcome, vector.at("message").get<std::string>());
    if (message) expect_message(*message, vector);
    ++count;
  }
  EXPECT_EQ(count, 74u);
}

// RFC 8489 B.1 has MESSAGE-INTEGRITY-SHA256, which ICE does not use: it is framed and not checked.
TEST(StunVectors, MessageIntegrityIsRightUnderItsKeyAndNoOther) {
  std::size_t count = 0;
  for (const json& vector : load_vectors()) {
    if (!vector.contains("authentic")) continue;
    SCOPED_TRACE(vector.at("id").get<std::string>());
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    const auto message = MessageView::parse(packet);
    ASSERT_TRUE(message.has_value());
    if (!message->has_integrity()) {
      EXPECT_TRUE(std::string(vector.at("id")).starts_with("rfc8489-b.1"));
      continue;
    }
    Bytes key = from_hex(vector.at("hmac_key").get<std::string>());
    EXPECT_EQ(message->is_authentic(crypto::HmacSha1Key(key)), vector.at("authentic").get<bool>());
    key[0] ^= 1;
    EXPECT_FALSE(message->is_authentic(crypto::HmacSha1Key(key)));
    ++count;
  }
  EXPECT_GE(count, 20u);
}

TEST(StunVectors, NoFlippedBitGoesUnnoticed) {
  const Bytes packet = vector_packet("rfc5769-2.1-request");
  const crypto::HmacSha1Key key = integrity_key("VOkJxbRl1RmTxUk/WvJxBt");
  ASSERT_TRUE(MessageView::parse(packet)->is_authentic(key));
  for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
    Bytes damaged = packet;
    damaged[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    const auto message = MessageView::parse(damaged);
    // In the type of FINGERPRINT itself it makes an attribute that is ignored.
    EXPECT_TRUE(!message || !message->has_fingerprint()) << bit;
  }
}

}  // namespace
}  // namespace runnel::stun

#include "core/stun/message_view.h"

#include <gtest/gtest.h>

#include "core/stun/message_writer.h"
#include "tests/unit/core/stun/vectors.h"

namespace runnel::stun {
namespace {

constexpr TransactionId kId{};
constexpr std::string_view kPassword = "srvpasswordsrvpassword12";

/// What `fill` puts into a Binding request.
template <typename Fill>
Bytes request_with(Fill fill) {
  Bytes buffer(kMaxMessageSize);
  MessageWriter writer(buffer, MessageClass::request, kBinding, kId);
  fill(writer);
  const auto message = writer.finish();
  EXPECT_TRUE(message.has_value());
  return {message->begin(), message->end()};
}

std::optional<Error> error_of(ByteView datagram) {
  const auto message = MessageView::parse(datagram);
  if (message) return std::nullopt;
  return message.error();
}

TEST(MessageView, EachTruncationIsRefused) {
  const Bytes packet = vector_packet("ice-check");
  for (std::size_t size = 0; size < packet.size(); ++size) {
    const Bytes exactly(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(error_of(exactly), size < kHeaderSize ? Error::truncated : Error::bad_length);
  }
}

TEST(MessageView, LongestMessageAndOneThatIsLonger) {
  Bytes datagram(kMaxMessageSize + 4);
  MessageWriter writer(datagram, MessageClass::request, kBinding, kId);
  writer.attribute(AttributeType{0xc070}, Bytes(kMaxMessageSize - kHeaderSize - 4));
  ASSERT_EQ(writer.finish()->size(), kMaxMessageSize);
  EXPECT_EQ(error_of(ByteView(datagram).first(kMaxMessageSize)), std::nullopt);

  store_be16(datagram.data() + 2, kMaxMessageSize + 4 - kHeaderSize);
  EXPECT_EQ(error_of(datagram), Error::too_long);
}

TEST(MessageView, UsernameOf508BytesAndOf509) {
  for (const std::size_t size : {std::size_t{508}, std::size_t{509}}) {
    const Bytes packet = request_with([&](MessageWriter& writer) {
      writer.attribute(AttributeType::username, Bytes(size, 'u'));
    });
    EXPECT_EQ(error_of(packet).has_value(), size == 509);
  }
}

TEST(MessageView, ValuesOfTheWrongSizeAreRefused) {
  struct Case {
    AttributeType type;
    std::size_t size;
  };
  for (const auto [type, size] :
       {Case{AttributeType::priority, 3}, Case{AttributeType::priority, 5},
        Case{AttributeType::use_candidate, 1}, Case{AttributeType::ice_controlled, 7},
        Case{AttributeType::ice_controlling, 9}, Case{AttributeType::message_integrity, 19},
        Case{AttributeType::message_integrity, 21}, Case{AttributeType::unknown_attributes, 3},
        Case{AttributeType::error_code, 3}, Case{AttributeType::error_code, 4},
        Case{AttributeType::xor_mapped_address, 0}, Case{AttributeType::xor_mapped_address, 8}}) {
    const Bytes packet =
        request_with([&](MessageWriter& writer) { writer.attribute(type, Bytes(size)); });
    EXPECT_EQ(error_of(packet), Error::bad_attribute) << static_cast<int>(type) << " " << size;
  }
}

// RFC 8489 §14.5: an attacker could append them.
TEST(MessageView, WhatFollowsMessageIntegrityIsNotSeen) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.username("srvU", "cliU");
    writer.message_integrity(integrity_key(kPassword));
    writer.use_candidate();
    writer.priority(1);
    writer.attribute(AttributeType{0x7777}, {});
    writer.attribute(AttributeType::ice_controlled, Bytes(3));
    writer.message_integrity(integrity_key("another"));
    writer.fingerprint();
  });
  const auto message = MessageView::parse(packet);
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->username(), "srvU:cliU");
  EXPECT_FALSE(message->use_candidate());
  EXPECT_FALSE(message->priority().has_value());
  EXPECT_FALSE(message->ice_controlled().has_value());
  std::array<AttributeType, 4> unknown;
  EXPECT_EQ(message->not_understood(unknown), 0u);
  EXPECT_TRUE(message->is_authentic(integrity_key(kPassword)));
  EXPECT_FALSE(message->is_authentic(integrity_key("another")));
  EXPECT_TRUE(message->has_fingerprint());
}

// RFC 8489 §14.6: behind MESSAGE-INTEGRITY-SHA256, MESSAGE-INTEGRITY does not count either.
TEST(MessageView, WhatFollowsMessageIntegritySha256IsNotSeen) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.username("srvU", "cliU");
    writer.attribute(AttributeType::message_integrity_sha256, Bytes(32));
    writer.message_integrity(integrity_key(kPassword));
  });
  const auto message = MessageView::parse(packet);
  ASSERT_TRUE(message.has_value());
  EXPECT_FALSE(message->has_integrity());
  EXPECT_FALSE(message->is_authentic(integrity_key(kPassword)));
}

TEST(MessageView, MessageIntegrityThenItsSha256AsBothMayBeSent) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.username("srvU", "cliU");
    writer.message_integrity(integrity_key(kPassword));
    writer.attribute(AttributeType::message_integrity_sha256, Bytes(32));
    writer.fingerprint();
  });
  const auto message = MessageView::parse(packet);
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(message->is_authentic(integrity_key(kPassword)));
}

// RFC 8489 §14: only the first of a type counts.
TEST(MessageView, TheFirstOfARepeatedAttributeCounts) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.priority(1);
    writer.priority(2);
  });
  EXPECT_EQ(MessageView::parse(packet)->priority(), 1u);
}

// RFC 8489 §6.3.1.
TEST(MessageView, UnknownRequiredAttributesAreListedOnceAndOptionalOnesNever) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.attribute(AttributeType{0xc057}, Bytes(4));
    writer.attribute(AttributeType{0x7777}, Bytes(3));
    writer.username("srvU", "cliU");
    writer.attribute(AttributeType{0x0014}, Bytes(5));
    writer.attribute(AttributeType{0x7777}, {});
    writer.attribute(AttributeType{0x7fff}, {});
  });
  const auto message = MessageView::parse(packet);
  ASSERT_TRUE(message.has_value());
  std::array<AttributeType, 4> unknown;
  ASSERT_EQ(message->not_understood(unknown), 3u);
  EXPECT_EQ(unknown[0], AttributeType{0x7777});
  EXPECT_EQ(unknown[1], AttributeType{0x0014});
  EXPECT_EQ(unknown[2], AttributeType{0x7fff});
  EXPECT_EQ(message->not_understood(std::span(unknown).first(2)), 2u);
}

// RFC 8489 §14.7.
TEST(MessageView, FingerprintMustBeTheLastAttribute) {
  const Bytes packet = request_with([](MessageWriter& writer) {
    writer.fingerprint();
    writer.priority(1);
  });
  EXPECT_EQ(error_of(packet), Error::bad_fingerprint);
}

TEST(MessageView, MappedIpv4InIpv6IsIpv4AsEverywhereElse) {
  Bytes value(20);
  value[1] = 2;
  // ::ffff:192.0.2.1, XORed with the cookie and a transaction id of zeros.
  const Bytes address = from_hex("2112a442000000000000ffffc0000201");
  std::copy(address.begin(), address.end(), value.begin() + 4);
  const Bytes packet = request_with(
      [&](MessageWriter& writer) { writer.attribute(AttributeType::xor_mapped_address, value); });
  EXPECT_EQ(MessageView::parse(packet)->xor_mapped_address()->ip.to_string(), "192.0.2.1");
}

TEST(MessageView, ErrorsHaveNames) {
  for (const Error error : {Error::truncated, Error::too_long, Error::not_stun, Error::bad_length,
                            Error::bad_attribute, Error::bad_fingerprint}) {
    EXPECT_NE(to_string(error), "unknown");
  }
}

}  // namespace
}  // namespace runnel::stun

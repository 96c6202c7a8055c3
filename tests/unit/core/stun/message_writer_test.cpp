#include "core/stun/message_writer.h"

#include <gtest/gtest.h>

#include "core/stun/message_view.h"
#include "tests/unit/core/stun/vectors.h"

namespace runnel::stun {
namespace {

constexpr TransactionId kId{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
constexpr std::string_view kPassword = "srvpasswordsrvpassword12";
using Buffer = std::array<std::uint8_t, kMaxMessageSize>;

/// A check as a full agent sends it (RFC 8445 §7.2.2).
void write_check(MessageWriter& writer, bool nominate) {
  writer.username("srvU", "cliU");
  writer.priority(0x6e7f1eff);
  writer.ice_controlling(0x0011223344556677);
  if (nominate) writer.use_candidate();
  writer.message_integrity(integrity_key(kPassword));
  writer.fingerprint();
}

TEST(MessageWriter, ChecksAreTheBytesThatOtherImplementationsWrite) {
  for (const bool nominate : {false, true}) {
    Buffer buffer;
    MessageWriter writer(buffer, MessageClass::request, kBinding, kId);
    write_check(writer, nominate);
    const auto message = writer.finish();
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(to_hex(*message),
              to_hex(vector_packet(nominate ? "ice-check-nominate" : "ice-check")));
  }
}

TEST(MessageWriter, Rfc8489Section14_2MappedAddressesOfBothFamilies) {
  for (const char* text : {"192.0.2.1:32853", "[2001:db8:1234:5678:11:2233:4455:6677]:32853",
                           "0.0.0.0:0", "255.255.255.255:65535"}) {
    const SocketAddress address = *SocketAddress::parse(text);
    Buffer buffer;
    MessageWriter writer(buffer, MessageClass::success_response, kBinding, kId);
    writer.xor_mapped_address(address);
    const auto message = MessageView::parse(*writer.finish());
    ASSERT_TRUE(message.has_value());
    EXPECT_TRUE(message->is_binding(MessageClass::success_response));
    EXPECT_EQ(message->xor_mapped_address(), address) << text;
  }
}

TEST(MessageWriter, Rfc5769Section2_2ResponseButForThePaddingAndWhatItProtects) {
  const Bytes expected = vector_packet("rfc5769-2.2-ipv4-response");
  Buffer buffer;
  MessageWriter writer(buffer, MessageClass::success_response, kBinding,
                       MessageView::parse(expected)->transaction_id());
  writer.software("test vector");
  writer.xor_mapped_address(*SocketAddress::parse("192.0.2.1:32853"));
  writer.message_integrity(integrity_key("VOkJxbRl1RmTxUk/WvJxBt"));
  writer.fingerprint();
  const auto written = writer.finish();
  ASSERT_TRUE(written.has_value());
  ASSERT_EQ(written->size(), expected.size());
  // The RFC pads SOFTWARE with a blank, at offset 35; zero is as good (§14).
  for (std::size_t i = 0; i < 52; ++i) {
    if (i == 35) continue;
    EXPECT_EQ((*written)[i], expected[i]) << i;
  }
}

TEST(MessageWriter, EachKindOfAttributeIsReadAsItWasWritten) {
  const std::array<AttributeType, 3> unknown{AttributeType{0x7777}, AttributeType{0x0014},
                                             AttributeType{0x0015}};
  Buffer buffer;
  MessageWriter writer(buffer, MessageClass::error_response, kBinding, kId);
  writer.error(ErrorCode::unknown_attribute);
  writer.unknown_attributes(unknown);
  writer.ice_controlled(0xfedcba9876543210);
  writer.software("Runnel");
  writer.attribute(AttributeType{0xc057}, Bytes{0, 0, 3, 0xe7});
  const auto message = MessageView::parse(*writer.finish());
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->transaction_id(), kId);
  EXPECT_EQ(message->error()->code, ErrorCode::unknown_attribute);
  EXPECT_EQ(message->error()->reason, "Unknown Attribute");
  std::array<AttributeType, 8> listed;
  ASSERT_EQ(message->unknown_attributes(listed), unknown.size());
  EXPECT_TRUE(std::equal(unknown.begin(), unknown.end(), listed.begin()));
  EXPECT_EQ(message->unknown_attributes(std::span(listed).first(2)), 2u);
  EXPECT_EQ(message->ice_controlled(), 0xfedcba9876543210u);
  EXPECT_FALSE(message->ice_controlling().has_value());
  EXPECT_EQ(message->software(), "Runnel");
  EXPECT_EQ(to_hex(*message->find(AttributeType{0xc057})), "000003e7");
}

TEST(MessageWriter, MethodsAndClassesOfTwelveAndTwoBits) {
  for (const Method method : {Method{1}, Method{3}, Method{0x10}, Method{0x80}, Method{0xfff}}) {
    for (const auto message_class :
         {MessageClass::request, MessageClass::indication, MessageClass::success_response,
          MessageClass::error_response}) {
      Buffer buffer;
      MessageWriter writer(buffer, message_class, method, kId);
      const auto message = MessageView::parse(*writer.finish());
      ASSERT_TRUE(message.has_value());
      EXPECT_EQ(message->method(), method);
      EXPECT_EQ(message->message_class(), message_class);
    }
  }
}

TEST(MessageWriter, WhatDoesNotFitIsNoMessageAndWritesNothingBehindTheSpan) {
  Buffer whole;
  MessageWriter unbounded(whole, MessageClass::request, kBinding, kId);
  write_check(unbounded, true);
  const std::size_t needed = unbounded.finish()->size();
  for (std::size_t room = 0; room <= needed; ++room) {
    Bytes exactly(room);
    MessageWriter writer(exactly, MessageClass::request, kBinding, kId);
    write_check(writer, true);
    EXPECT_EQ(writer.finish().has_value(), room == needed) << room;
  }
}

TEST(MessageWriter, NeverLongerThanWhatTheReaderTakes) {
  Bytes roomy(2 * kMaxMessageSize);
  for (const std::size_t size : {kMaxMessageSize - kHeaderSize - 4, kMaxMessageSize}) {
    MessageWriter writer(roomy, MessageClass::request, kBinding, kId);
    writer.attribute(AttributeType{0xc070}, Bytes(size));
    const auto message = writer.finish();
    EXPECT_EQ(message.has_value(), size < kMaxMessageSize);
    if (!message) continue;
    EXPECT_TRUE(MessageView::parse(*message).has_value());
  }
  MessageWriter writer(roomy, MessageClass::request, kBinding, kId);
  writer.attribute(AttributeType{0xc070}, Bytes(kMaxMessageSize - kHeaderSize - 8));
  writer.message_integrity(integrity_key(kPassword));
  writer.fingerprint();
  EXPECT_FALSE(writer.finish().has_value());
}

}  // namespace
}  // namespace runnel::stun

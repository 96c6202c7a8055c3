// Keys, packets and their protection for the tests.
#include "tests/unit/core/srtp/test_support.h"

#include <gtest/gtest.h>

namespace runnel::srtp::test {

Bytes key_material(Profile profile, std::uint8_t seed) {
  Bytes bytes(parameters(profile).key_size + parameters(profile).salt_size);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i * 7 + seed * 31U);
  }
  return bytes;
}

MasterKey make_key(Profile profile, std::uint8_t seed, ByteView mki) {
  return MasterKey::create(profile, key_material(profile, seed), mki).value();
}

Bytes rtp_packet(std::uint32_t ssrc, std::uint16_t sequence_number, std::size_t payload_size) {
  Bytes packet(12 + payload_size);
  packet[0] = 0x80;
  packet[1] = 96;
  store_be16(packet.data() + 2, sequence_number);
  store_be32(packet.data() + 4, sequence_number * 3000U);
  store_be32(packet.data() + 8, ssrc);
  for (std::size_t i = 0; i < payload_size; ++i) {
    packet[12 + i] = static_cast<std::uint8_t>(i + sequence_number);
  }
  return packet;
}

Bytes rtcp_packet(std::uint32_t ssrc, std::size_t rest_size) {
  Bytes packet(8 + rest_size, 0xab);
  packet[0] = 0x80;
  packet[1] = 200;
  store_be16(packet.data() + 2, static_cast<std::uint16_t>(1 + rest_size / 4));
  store_be32(packet.data() + 4, ssrc);
  return packet;
}

Bytes protect_copy(Sender& sender, PacketKind kind, const Bytes& clear) {
  Bytes buffer = clear;
  buffer.resize(clear.size() + sender.overhead(kind));
  const auto size = sender.protect_in_place(kind, buffer, clear.size());
  if (!size) {
    ADD_FAILURE() << "protect: " << to_string(size.error());
    return {};
  }
  EXPECT_EQ(*size, buffer.size());
  return buffer;
}

std::expected<Bytes, Error> unprotect_copy(Receiver& receiver, PacketKind kind,
                                           const Bytes& packet) {
  Bytes buffer = packet;
  const auto size = receiver.unprotect_in_place(kind, buffer);
  if (!size) return std::unexpected(size.error());
  buffer.resize(*size);
  return buffer;
}

std::size_t below(Generator& generator, std::size_t bound) {
  return generator() % bound;
}

}  // namespace runnel::srtp::test

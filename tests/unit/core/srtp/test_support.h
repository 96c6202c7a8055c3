// What the SRTP tests share: keys, packets, a seeded generator.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/packet_slab.h"
#include "core/srtp/master_key.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "tests/vectors/hexadecimal.h"

namespace runnel::srtp::test {

using Bytes = std::vector<std::uint8_t>;
using runnel::test::from_hex;

/// Where a test needs one SSRC and no particular one.
inline constexpr std::uint32_t kSsrc = 0x1122'3344;

/// Bytes that differ for each `seed`, in the profile's length.
[[nodiscard]] Bytes key_material(Profile profile, std::uint8_t seed = 1);
[[nodiscard]] MasterKey make_key(Profile profile, std::uint8_t seed = 1, ByteView mki = {});

/// A clear RTP packet: a 12-byte header and `payload_size` bytes that depend on the sequence
/// number.
[[nodiscard]] Bytes rtp_packet(std::uint32_t ssrc, std::uint16_t sequence_number,
                               std::size_t payload_size = 40);
/// A clear RTCP packet with 8 bytes of header.
[[nodiscard]] Bytes rtcp_packet(std::uint32_t ssrc, std::size_t rest_size = 20);

/// The protected packet; a failure fails the test and answers an empty one.
[[nodiscard]] Bytes protect_copy(Sender& sender, PacketKind kind, const Bytes& clear);
/// Works on a copy. On success the clear packet.
[[nodiscard]] std::expected<Bytes, Error> unprotect_copy(Receiver& receiver, PacketKind kind,
                                                         const Bytes& packet);

/// Names the instances of a test that runs for each profile.
struct ProfileName {
  template <typename Parameter>
  std::string operator()(const Parameter& parameter) const {
    return std::string(to_string(parameter.param));
  }
};

using Generator = std::mt19937_64;
/// From 0 to `bound` - 1.
[[nodiscard]] std::size_t below(Generator& generator, std::size_t bound);

}  // namespace runnel::srtp::test

#include "core/stun/crc32.h"

#include <array>

namespace runnel::stun {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320;  // bit-reversed
// As many bytes as are taken at a time: every datagram that claims to be STUN is summed before
// anything else is known of it.
constexpr std::size_t kSlices = 4;

/// tables[n][b] is the remainder of byte b with n zero bytes behind it.
constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, kSlices> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kPolynomial : 0);
    }
    tables[0][byte] = remainder;
  }
  for (std::size_t n = 1; n < kSlices; ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[n - 1][byte];
      tables[n][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}();

}  // namespace

std::uint32_t crc32(ByteView bytes) noexcept {
  std::uint32_t remainder = 0xffffffff;
  for (; bytes.size() >= kSlices; bytes = bytes.subspan(kSlices)) {
    // The lowest byte of the remainder meets the first byte of the message.
    const std::uint32_t word = remainder ^ std::byteswap(load_be32(bytes.data()));
    remainder = kTables[3][word & 0xff] ^ kTables[2][(word >> 8) & 0xff] ^
                kTables[1][(word >> 16) & 0xff] ^ kTables[0][word >> 24];
  }
  for (const std::uint8_t byte : bytes) {
    remainder = (remainder >> 8) ^ kTables[0][(remainder ^ byte) & 0xff];
  }
  return ~remainder;
}

}  // namespace runnel::stun

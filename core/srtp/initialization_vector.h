// The initialization vectors of SRTP and SRTCP, computed in registers for each packet.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/bytes.h"
#include "core/base/secret.h"
#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_gcm.h"

namespace runnel::srtp {

/// A session salt of 112 bits (AES-CM) or 96 bits (GCM), filled up with zeros to one AES block.
inline constexpr std::size_t kSessionSaltSize = 16;
using SessionSalt = Secret<kSessionSaltSize>;

namespace detail {

/// One AES block as two halves. Built in a vector register and stored once: two narrow stores
/// followed by the kernel's wide load would stall the pipeline for longer than a short packet
/// takes to encrypt.
using Block [[gnu::vector_size(16)]] = std::uint64_t;

[[nodiscard]] constexpr std::uint64_t to_network_order(std::uint64_t value) noexcept {
  if constexpr (std::endian::native == std::endian::little) return __builtin_bswap64(value);
  return value;
}

[[nodiscard]] inline Block salted_block(const SessionSalt& salt, std::uint64_t high,
                                        std::uint64_t low) noexcept {
  Block block;
  std::memcpy(&block, salt.view().data(), sizeof block);
  return block ^ Block { to_network_order(high), to_network_order(low) };
}

}  // namespace detail

//   AES-CM, RFC 3711 §4.1.1: salt * 2^16 XOR SSRC * 2^64 XOR index * 2^16
//   +----+----+----+----+----+----+----+----+----+----+----+----+----+----+----+----+
//   |         0         |       SSRC        |       packet index          | block   |
//   +----+----+----+----+----+----+----+----+----+----+----+----+----+----+----+----+

/// `index` is the 48-bit packet index of SRTP, or the 31-bit index of SRTCP.
[[nodiscard]] inline crypto::CounterBlock counter_block(const SessionSalt& salt, std::uint32_t ssrc,
                                                        std::uint64_t index) noexcept {
  return std::bit_cast<crypto::CounterBlock>(detail::salted_block(salt, ssrc, index << 16));
}

//   GCM, RFC 7714 §8.1 (SRTP: ROC and sequence number are the packet index) and §9.1 (SRTCP: two
//   zero bytes and the 31-bit index), both XOR the salt
//   +----+----+----+----+----+----+----+----+----+----+----+----+
//   |    0    |       SSRC        |       packet index          |
//   +----+----+----+----+----+----+----+----+----+----+----+----+

/// `index` as above.
[[nodiscard]] inline crypto::GcmIv gcm_iv(const SessionSalt& salt, std::uint32_t ssrc,
                                          std::uint64_t index) noexcept {
  const detail::Block block = detail::salted_block(
      salt, (std::uint64_t{ssrc} << 16) | ((index >> 32) & 0xffff), index << 32);
  crypto::GcmIv iv;
  std::memcpy(iv.data(), &block, iv.size());
  return iv;
}

}  // namespace runnel::srtp

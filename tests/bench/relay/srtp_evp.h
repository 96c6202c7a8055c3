// SRTP on OpenSSL's EVP as a careful person writes it in an afternoon: contexts are made once per
// key and kept, nothing else is tuned. It is the yardstick, and it shares no code with Runnel's own
// SRTP, so that a fault there cannot hide here.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

#include <openssl/evp.h>

#include "core/base/bytes.h"
#include "tests/bench/relay/setup.h"

namespace runnel::bench {

/// The longest tag of the two suites (GCM).
inline constexpr std::size_t kMaxTagSize = 16;

/// One direction under one master key; RTP only. Packets that are protected must go up in sequence.
class EvpSrtp {
 public:
  EvpSrtp(Suite suite, ByteView key_and_salt);

  /// In place; `packet` has room for kMaxTagSize more. Answers the new size.
  [[nodiscard]] std::size_t protect(std::uint8_t* packet, std::size_t size);
  /// In place. Answers the size of the clear packet; nullopt when replayed or not authentic.
  [[nodiscard]] std::optional<std::size_t> unprotect(std::uint8_t* packet, std::size_t size);

 private:
  struct CipherFree {
    void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
  };
  struct MacFree {
    void operator()(EVP_MAC_CTX* context) const noexcept { EVP_MAC_CTX_free(context); }
  };
  struct Stream {
    std::uint64_t highest = 0;  // packet index
    std::uint64_t seen = 0;     // bit n: highest - n was received
    bool started = false;
  };
  using Iv = std::array<std::uint8_t, 16>;
  using Tag = std::array<std::uint8_t, 20>;

  [[nodiscard]] Iv counter_block(std::uint32_t ssrc, std::uint64_t index) const;
  [[nodiscard]] Iv aead_nonce(std::uint32_t ssrc, std::uint64_t index) const;
  void apply_keystream(const Iv& iv, std::uint8_t* data, std::size_t size);
  [[nodiscard]] Tag authenticate(const std::uint8_t* packet, std::size_t size, std::uint64_t index);
  [[nodiscard]] bool open_aead(std::uint8_t* packet, std::size_t header, std::size_t clear,
                               std::uint64_t index);
  [[nodiscard]] static std::uint64_t estimate_index(const Stream& stream, std::uint16_t sequence);
  [[nodiscard]] static bool is_replay(const Stream& stream, std::uint64_t index);
  static void commit(Stream& stream, std::uint64_t index);

  Suite suite_;
  std::array<std::uint8_t, 14> salt_{};
  std::unique_ptr<EVP_CIPHER_CTX, CipherFree> cipher_;
  std::unique_ptr<EVP_MAC_CTX, MacFree> mac_;
  std::unordered_map<std::uint32_t, Stream> streams_;
};

/// Length of the RTP header with CSRCs and extension (RFC 3550 §5.1); 0 when `size` is too short.
[[nodiscard]] std::size_t rtp_header_size(const std::uint8_t* packet, std::size_t size);

}  // namespace runnel::bench

// A key that signatures of JWTs are verified with, and the one algorithm it is for.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/secret.h"

namespace runnel::auth {

/// RFC 7518 §3.1.
enum class JwtAlgorithm : std::uint8_t { hs256, rs256, es256 };
inline constexpr std::array kJwtAlgorithms{JwtAlgorithm::hs256, JwtAlgorithm::rs256,
                                           JwtAlgorithm::es256};

/// "HS256"
[[nodiscard]] std::string_view to_string(JwtAlgorithm algorithm) noexcept;
[[nodiscard]] std::optional<JwtAlgorithm> jwt_algorithm_from_name(std::string_view name) noexcept;

/// Bytes of an HS256 secret: at least as long as its digest (RFC 7518 §3.2).
inline constexpr std::size_t kShortestHmacSecret = 32;
inline constexpr std::size_t kLongestJwtKey = 4096;  // bytes of a secret or of PEM text
inline constexpr unsigned kSmallestRsaKey = 2048;    // bits, RFC 7518 §3.3
inline constexpr std::size_t kLongestKeyId = 128;

enum class JwtKeyError : std::uint8_t {
  too_short,  // an HS256 secret
  too_long,
  public_key,    // PEM where an HS256 secret is wanted: everybody knows it
  private_key,   // it must not lie on a machine that only verifies
  not_a_key,     // no public key in PEM
  wrong_kind,    // not RSA for RS256, not P-256 for ES256
  too_few_bits,  // RSA
};
[[nodiscard]] std::string_view to_string(JwtKeyError error) noexcept;

/// Move-only, wiped, not printable.
class JwtKey {
 public:
  /// `material` is the secret itself for HS256, otherwise a public key in PEM (RFC 7468 §13). `id`
  /// is the `kid` of the tokens that it signs, at most kLongestKeyId; empty: of those whose `kid`
  /// is not that of another key.
  [[nodiscard]] static std::expected<JwtKey, JwtKeyError> create(JwtAlgorithm algorithm,
                                                                 std::string id, ByteView material);

  [[nodiscard]] JwtAlgorithm algorithm() const noexcept { return algorithm_; }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] ByteView material() const noexcept { return material_.view(); }

 private:
  JwtKey(JwtAlgorithm algorithm, std::string id, ByteView material)
      : algorithm_(algorithm), id_(std::move(id)), material_(material) {}

  JwtAlgorithm algorithm_;
  std::string id_;
  Secret<kLongestJwtKey> material_;
};

}  // namespace runnel::auth

// The hash of a certificate, as a=fingerprint has it (RFC 8122 §5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace runnel::dtls {

enum class HashFunction : std::uint8_t { sha_256, sha_384, sha_512 };

struct Fingerprint {
  HashFunction function = HashFunction::sha_256;
  std::array<std::uint8_t, 64> bytes{};  // the first 32, 48 or 64 of them

  [[nodiscard]] std::size_t size() const noexcept;
  /// "sha-256 4A:AD:B9:..."
  [[nodiscard]] std::string to_string() const;
  /// The same form; letters of any case. Other hash functions, such as sha-1, are not known.
  [[nodiscard]] static std::optional<Fingerprint> parse(std::string_view text) noexcept;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

}  // namespace runnel::dtls

// Attributes about the connection that carries the media: BUNDLE, DTLS, ICE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::sdp {

// kName, kForm, parse() and to_string() as in media_attributes.h.

/// RFC 5888 §5
struct Group {
  static constexpr std::string_view kName = "group";
  static constexpr std::string_view kForm = "SEMANTICS [MID...]";
  std::string semantics;  // "BUNDLE"
  std::vector<std::string> mids;
  [[nodiscard]] static std::optional<Group> parse(std::string_view value);
  [[nodiscard]] std::string to_string() const;
};

/// RFC 8122 §5. Whether the hash function is known and has that length is asked where it is used.
struct FingerprintText {
  static constexpr std::string_view kName = "fingerprint";
  static constexpr std::string_view kForm = "HASH-FUNCTION XX:XX:...";
  std::string text;  // "sha-256 4A:AD:..."
  [[nodiscard]] static std::optional<FingerprintText> parse(std::string_view value);
  [[nodiscard]] const std::string& to_string() const noexcept { return text; }
};

/// RFC 4145 §4
enum class Setup : std::uint8_t { active, passive, actpass, holdconn };
[[nodiscard]] std::string_view to_string(Setup setup) noexcept;
[[nodiscard]] std::optional<Setup> parse_setup(std::string_view value) noexcept;

/// RFC 8839 §5.4: 4 to 256 characters for the fragment, 22 to 256 for the password.
[[nodiscard]] bool is_ice_ufrag(std::string_view text) noexcept;
[[nodiscard]] bool is_ice_password(std::string_view text) noexcept;

/// The fields of a=candidate (RFC 8839 §5.1) that a description repeats elsewhere.
struct CandidateFields {
  static constexpr std::string_view kName = "candidate";
  static constexpr std::string_view kForm =
      "FOUNDATION COMPONENT TRANSPORT PRIORITY ADDRESS PORT typ TYPE ...";
  std::string foundation;
  std::uint16_t component = 1;
  std::string transport;  // "udp", of any case
  std::uint32_t priority = 0;
  std::string address;  // may be a name, such as one that ends with ".local"
  std::uint16_t port = 0;
  [[nodiscard]] static std::optional<CandidateFields> parse(std::string_view value);
};

}  // namespace runnel::sdp

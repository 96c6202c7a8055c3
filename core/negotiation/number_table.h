// Payload types and ids of header extensions of one connection: each means the same in all of its
// m-lines.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/negotiation/local_description.h"
#include "core/negotiation/offer.h"

namespace runnel::negotiation {

/// Numbers of the peer come first and stay; further ones are taken from what is free.
class NumberTable {
 public:
  /// All that the peer uses in a usable m-line of an offer. (Its answers have nothing new.)
  void learn(const OfferedMedium& medium);

  /// What to offer for media that we send: the peer's format that suits it best or, when none is
  /// known, formats of our own, each of which suits it. Empty: all payload types are taken.
  [[nodiscard]] std::vector<LocalFormat> formats_for(const rtp::Codec& codec);
  /// What to offer in an m-line of that kind. An extension for which no id is left is missing.
  [[nodiscard]] std::vector<LocalExtension> extensions_for(rtp::MediaKind kind);

  /// Whether the peer has listed formats in an m-line of that kind in which it receives, and none
  /// of them suits the codec; then those formats.
  [[nodiscard]] std::optional<std::vector<PayloadFormat>> refused(const rtp::Codec& codec) const;

 private:
  struct Known {
    PayloadFormat format;
    bool is_received = false;  // by the peer
    bool is_ours = false;
  };

  [[nodiscard]] std::optional<std::uint8_t> take_payload_type(
      std::optional<std::uint8_t> preferred = std::nullopt);
  [[nodiscard]] std::optional<std::uint8_t> take_extension_id();
  [[nodiscard]] const Known* find(const rtp::Codec& codec) const;
  [[nodiscard]] const Known* allocate(const rtp::Codec& codec);

  std::vector<Known> known_;
  std::bitset<128> payload_types_;
  std::bitset<256> extension_ids_;
  /// By kind of medium and kind of extension; 0: none yet.
  std::array<rtp::ExtensionIds, 2> extensions_;
};

}  // namespace runnel::negotiation

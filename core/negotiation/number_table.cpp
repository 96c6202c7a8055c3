#include "core/negotiation/number_table.h"

#include <algorithm>

#include "core/negotiation/answered_section.h"
#include "core/negotiation/codec_match.h"
#include "core/negotiation/offered_codec.h"
#include "core/sdp/words.h"

namespace runnel::negotiation {
namespace {

/// Whether one payload type can stand for both. H.264 has parameter sets among its parameters.
bool is_interchangeable(const rtp::Codec& a, const rtp::Codec& b) {
  if (is_same_name(a.name, "H264")) return a == b;
  return suitability(a, b) != 0 && suitability(b, a) != 0;
}

}  // namespace

void NumberTable::learn(const OfferedMedium& medium) {
  for (const std::string& payload : medium.payloads) {
    if (const auto number = sdp::parse_number<std::uint8_t>(payload, 127)) {
      payload_types_.set(*number);
    }
  }
  for (const PayloadFormat& format : medium.formats) {
    const auto is_same = [&](const Known& known) {
      return known.format.payload_type == format.payload_type;
    };
    auto known = std::ranges::find_if(known_, is_same);
    if (known == known_.end()) known = known_.insert(known_.end(), {format, false, false});
    known->is_received |= sdp::receives(medium.direction);
  }
  for (const std::uint8_t id : medium.extension_ids) extension_ids_.set(id);
  rtp::ExtensionIds& ids = extensions_[static_cast<std::size_t>(*medium.kind)];
  for (const OfferedExtension& extension : medium.extensions) {
    if (!ids.has(extension.kind)) ids.set(extension.kind, extension.id);
  }
}

const NumberTable::Known* NumberTable::find(const rtp::Codec& codec) const {
  const Known* best = nullptr;
  int best_suitability = 0;
  for (const Known& known : known_) {
    if (known.is_ours) continue;
    const int candidate = suitability(codec, known.format.codec);
    if (candidate <= best_suitability) continue;
    best = &known;
    best_suitability = candidate;
  }
  return best;
}

const NumberTable::Known* NumberTable::allocate(const rtp::Codec& codec) {
  for (const Known& known : known_) {
    if (known.is_ours && is_interchangeable(known.format.codec, codec)) return &known;
  }
  const auto number = take_payload_type(static_number(codec));
  if (!number) return nullptr;
  Known known{{*number, codec, offered_feedback(codec.kind), std::nullopt}, false, true};
  if (codec.kind == rtp::MediaKind::video) {
    known.format.retransmission_payload_type = take_payload_type();
  }
  known_.push_back(std::move(known));
  return &known_.back();
}

std::vector<LocalFormat> NumberTable::formats_for(const rtp::Codec& codec) {
  std::vector<LocalFormat> formats;
  if (const Known* known = find(codec)) {
    formats.push_back(answered_format(known->format));
    return formats;
  }
  for (const rtp::Codec& variant : offered_variants(codec)) {
    const Known* known = allocate(variant);
    if (known == nullptr) break;
    formats.push_back(answered_format(known->format));
    formats.back().parameters = known->format.codec.format_parameters;
  }
  return formats;
}

std::vector<LocalExtension> NumberTable::extensions_for(rtp::MediaKind kind) {
  rtp::ExtensionIds& ids = extensions_[static_cast<std::size_t>(kind)];
  const rtp::ExtensionIds& others = extensions_[1 - static_cast<std::size_t>(kind)];
  std::vector<LocalExtension> offered;
  for (std::size_t i = 0; i < rtp::kExtensionKindCount; ++i) {
    const auto extension = static_cast<rtp::ExtensionKind>(i);
    if (!is_offered(extension, kind)) continue;
    if (!ids.has(extension)) {
      const bool is_shared = others.has(extension) && !ids.kind_of(others[extension]);
      ids.set(extension, is_shared ? others[extension] : take_extension_id().value_or(0));
    }
    if (ids.has(extension)) offered.push_back({ids[extension], extension, std::nullopt});
  }
  return offered;
}

std::optional<std::vector<PayloadFormat>> NumberTable::refused(const rtp::Codec& codec) const {
  std::vector<PayloadFormat> received;
  for (const Known& known : known_) {
    if (known.is_received && known.format.codec.kind == codec.kind) {
      received.push_back(known.format);
    }
  }
  if (received.empty() || most_suitable(received, codec) != nullptr) return std::nullopt;
  return received;
}

// RFC 3551 §3 has 96 to 127 for this; browsers take 35 to 63 as well, which no static type has.
std::optional<std::uint8_t> NumberTable::take_payload_type(std::optional<std::uint8_t> preferred) {
  const auto take = [&](std::uint8_t number) {
    if (payload_types_.test(number)) return false;
    payload_types_.set(number);
    return true;
  };
  if (preferred && take(*preferred)) return preferred;
  for (std::uint8_t number = 96; number < 128; ++number) {
    if (take(number)) return number;
  }
  for (std::uint8_t number = 35; number < 64; ++number) {
    if (take(number)) return number;
  }
  return std::nullopt;
}

// Within the one-byte form (RFC 8285 §4.2), which every peer reads.
std::optional<std::uint8_t> NumberTable::take_extension_id() {
  for (std::uint8_t id = 1; id < 15; ++id) {
    if (extension_ids_.test(id)) continue;
    extension_ids_.set(id);
    return id;
  }
  return std::nullopt;
}

}  // namespace runnel::negotiation

// Names codecs in sentences for people.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/negotiation/offer.h"
#include "core/rtp/codec.h"

namespace runnel::negotiation {

/// `{"a", "b", "c"}` with "and": "a, b and c"; "nothing" for none.
[[nodiscard]] std::string enumerated(std::span<const std::string> words,
                                     std::string_view conjunction);
/// "H264/90000 (profile-level-id=42e01f)": with what tells variants of the codec apart.
[[nodiscard]] std::string describe(const rtp::Codec& codec);
/// All of them in a sentence, each once.
[[nodiscard]] std::string names_of(std::span<const PayloadFormat> formats);
/// The codecs of a kind that can be published, in a sentence.
[[nodiscard]] std::string known_names(rtp::MediaKind kind);

}  // namespace runnel::negotiation

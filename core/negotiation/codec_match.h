// Which codecs are known, and whether media of one kind suits a receiver that has said what it
// takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/rtp/codec.h"

namespace runnel::negotiation {

/// Encoding names and names of parameters are compared without regard to case.
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b) noexcept;

/// The value of a parameter of an fmtp, "1" of "apt" in "x=2; apt=1"; nullopt: not there.
[[nodiscard]] std::optional<std::string_view> format_parameter(std::string_view parameters,
                                                               std::string_view name) noexcept;
/// The parameters that describe the media: without the limits of who wrote them as a receiver, such
/// as max-fs.
[[nodiscard]] std::string media_parameters(std::string_view parameters);
/// The parameters that an answer repeats: without what describes the other side's media as well
/// (sprop-...).
[[nodiscard]] std::string answered_parameters(std::string_view parameters);

/// Beside media itself there are packets that protect or replace it.
enum class FormatRole : std::uint8_t { media, retransmission, other };
[[nodiscard]] FormatRole role_of(const rtp::Codec& codec) noexcept;

/// As its RFC spells it, of a codec that a publication may have: "opus" for "OPUS/48000/2"; nullopt
/// for others.
[[nodiscard]] std::optional<std::string_view> known_name(const rtp::Codec& codec) noexcept;
/// Whether it is a codec for a track of its own; telephone events accompany another one.
[[nodiscard]] bool is_main(const rtp::Codec& codec) noexcept;

/// Of RFC 4733, in the clock of the audio that they accompany.
[[nodiscard]] bool is_telephone_event(const rtp::Codec& codec) noexcept;

/// Among variants of one codec that a peer may send, by their parameters: the lowest is what most
/// receivers can take; nullopt: a variant that is not known.
[[nodiscard]] std::optional<int> variant_rank(const rtp::Codec& codec) noexcept;

/// How well `sent` media suits `received`, a format that a peer has said it takes: 0 not at all,
/// the higher the better. A parameter that is not said is no obstacle.
[[nodiscard]] int suitability(const rtp::Codec& sent, const rtp::Codec& received) noexcept;

}  // namespace runnel::negotiation

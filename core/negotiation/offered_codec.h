// The forms in which we offer media that we send.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rtp/codec.h"
#include "core/rtp/extension_kind.h"
#include "core/rtp/feedback_kinds.h"

namespace runnel::negotiation {

/// The codec with parameters that tell browsers all they compare, and further profiles whose
/// decoders take it as well, since a browser refuses a profile that it has not listed even when it
/// can decode it.
[[nodiscard]] std::vector<rtp::Codec> offered_variants(const rtp::Codec& codec);

/// RFC 3551: of codecs that have a payload type of their own.
[[nodiscard]] std::optional<std::uint8_t> static_number(const rtp::Codec& codec);

[[nodiscard]] rtp::FeedbackKinds offered_feedback(rtp::MediaKind kind) noexcept;

/// Whether the extension is of use in an m-line of that kind that we send.
[[nodiscard]] bool is_offered(rtp::ExtensionKind extension, rtp::MediaKind kind) noexcept;

}  // namespace runnel::negotiation

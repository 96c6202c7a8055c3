// Base64 (RFC 4648 §4), as key material travels in SDES and stands in configuration files.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel::srtp {

/// Decodes `text` and answers the length of what it stands for, of which as much as fits is written
/// to `out`. '=' padding may be missing; anything else that RFC 4648 does not allow (white space,
/// foreign letters, left-over bits that are not zero) answers nullopt.
[[nodiscard]] std::optional<std::size_t> decode_base64(std::string_view text,
                                                       ByteSpan out) noexcept;

}  // namespace runnel::srtp

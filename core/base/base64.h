// Base64 (RFC 4648 §4), as key material and binary data travel inside of text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel {

/// Decodes `text` and answers the length of what it stands for, of which as much as fits is written
/// to `out`. '=' padding may be missing; anything else that RFC 4648 does not allow (white space,
/// foreign letters, left-over bits that are not zero) answers nullopt.
[[nodiscard]] std::optional<std::size_t> decode_base64(std::string_view text,
                                                       ByteSpan out) noexcept;

/// With padding.
[[nodiscard]] std::string encode_base64(ByteView bytes);

}  // namespace runnel

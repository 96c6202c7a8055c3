// Why a WHIP or WHEP request is not granted, as a problem document (RFC 9457).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/http/response.h"
#include "core/signalling/error.h"

namespace runnel::whip {

/// With the status of the error's code, but 422 for what is well-formed and yet cannot be granted
/// (a codec, a kind of leg): 400 says that the text itself is at fault (RFC 9725 §4.4.2, §4.4.3).
/// 429 and 503 always say when to try again.
[[nodiscard]] http::Response refusal(const signalling::Error& error);
[[nodiscard]] http::Response refusal(std::uint16_t status, std::string code, std::string text);
/// 415, and in `field` (Accept-Post or Accept-Patch) what is taken instead.
[[nodiscard]] http::Response wrong_type(std::string field, std::string_view accepted);

}  // namespace runnel::whip

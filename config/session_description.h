// The SDP that a receiver such as ffmpeg or GStreamer needs to play one configured output.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace runnel::config {

/// SDP (RFC 8866; keys as a=crypto, RFC 4568) of output `output` of `stream`, counted from 0. It
/// holds the output's master key, since the receiver needs it: treat it as a secret. Otherwise a
/// sentence that says why there is none (no such stream or output, a receiver without a configured
/// address).
[[nodiscard]] std::expected<std::string, std::string> session_description(const Config& config,
                                                                          std::string_view stream,
                                                                          std::size_t output);

/// "camera-1" is its output 0, "camera-1/2" its second one, which is number 1; nullopt when what
/// follows the '/' is no number from 1.
struct OutputName {
  std::string_view stream;
  std::size_t output = 0;
};
[[nodiscard]] std::optional<OutputName> parse_output_name(std::string_view text) noexcept;

}  // namespace runnel::config

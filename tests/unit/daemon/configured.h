// Configurations for tests, written as an operator would.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "config/loader.h"

namespace runnel::daemon {

/// The configuration that `yaml` says; a test that has an error in it ends at once.
inline config::Config configured(const std::string& yaml) {
  config::Surroundings nothing;
  nothing.environment = [](const std::string&) { return std::nullopt; };
  nothing.read_file = [](const std::string&) { return std::unexpected("no files here"); };
  auto loaded = config::load_text(yaml, "test.yaml", nothing);
  if (!loaded) {
    for (const config::Problem& problem : loaded.error()) ADD_FAILURE() << problem.to_string();
    std::abort();
  }
  return std::move(loaded->config);
}

/// Two media in SRTP; one output in SRTP by address, one in the clear by name.
inline constexpr const char* kCamera = R"(
listen: {media: ["127.0.0.1:7000", "[::1]:7000"]}
relays:
  - stream: camera-1
    from:
      srtp:
        suite: AES_CM_128_HMAC_SHA1_80
        key: "WnD7c1ksDGs+dIefCEo8omPg4uO8DYIinNGL5yxQ"
        media:
          - {kind: video, payload_type: 96, codec: H264/90000, listen: "127.0.0.1:5004"}
          - {kind: audio, payload_type: 111, codec: opus/48000/2, listen: "127.0.0.1:5006"}
    to:
      - srtp:
          suite: AES_CM_128_HMAC_SHA1_80
          key: "PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR"
          media:
            - {kind: video, send: "[2001:db8::7]:6000", rtcp_mux: true}
            - {kind: audio, send: "198.51.100.9:6002"}
      - rtp: {media: [{kind: audio, send: "player.example:7006"}]}
)";

}  // namespace runnel::daemon

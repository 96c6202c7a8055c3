// Loads YAML with surroundings that a test has written down.
#pragma once

#include <gmock/gmock.h>
#include <map>
#include <string>
#include <vector>

#include "config/loader.h"

namespace runnel::config {

struct Fake {
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string> files;
  bool files_are_open = false;

  [[nodiscard]] Surroundings surroundings() const {
    return {[this](const std::string& name) -> std::optional<std::string> {
              const auto found = environment.find(name);
              if (found == environment.end()) return std::nullopt;
              return found->second;
            },
            [this](const std::string& path) -> std::expected<std::string, std::string> {
              const auto found = files.find(path);
              if (found == files.end()) return std::unexpected("No such file or directory");
              return found->second;
            },
            [this](const std::string&) { return files_are_open; }};
  }
};

/// 30 bytes, as real-world SDES gear has them.
inline const std::string kKey30 = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e";
inline const std::string kOtherKey30 = "EREREREREREREREREREREREREREREREREREREREQ";
/// 28 bytes, for AEAD_AES_128_GCM.
inline const std::string kKey28 = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHA==";

/// A public key on P-256, that of RFC 7515 A.3.
inline const std::string kEcPublicKey = R"(-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
-----END PUBLIC KEY-----
)";

inline std::vector<std::string> lines(const std::vector<Problem>& problems) {
  std::vector<std::string> result;
  for (const Problem& problem : problems) result.push_back(problem.to_string());
  return result;
}

/// "test.yaml:LINE: KEY: TEXT; REMEDY" of each error; empty when the file is fine.
inline std::vector<std::string> errors_of(std::string_view yaml, const Fake& fake = {}) {
  const auto loaded = load_text(yaml, "test.yaml", fake.surroundings());
  return loaded ? std::vector<std::string>{} : lines(loaded.error());
}

/// The warnings of a file that loads.
inline std::vector<std::string> warnings_of(std::string_view yaml, const Fake& fake = {}) {
  const auto loaded = load_text(yaml, "test.yaml", fake.surroundings());
  if (!loaded) return {"did not load: " + lines(loaded.error()).front()};
  return lines(loaded->warnings);
}

/// A file that must load.
inline Loaded load(std::string_view yaml, const Fake& fake = {}) {
  auto loaded = load_text(yaml, "test.yaml", fake.surroundings());
  if (!loaded) {
    ADD_FAILURE() << "did not load: " << testing::PrintToString(lines(loaded.error()));
    return {};
  }
  return std::move(*loaded);
}

/// A relay "cam" whose SRTP source has video (96) on 5004 and audio (111) on 5006, up to its `to:`,
/// which is line 9; `to` is indented below it.
inline std::string with_receivers(const std::string& to) {
  return "relays:\n"
         "  - stream: cam\n"
         "    from:\n"
         "      srtp:\n"
         "        suite: AES_CM_128_HMAC_SHA1_80\n"
         "        key: " +
         kKey30 +
         "\n"
         "        media: [{kind: video, payload_type: 96, codec: VP8/90000, listen: "
         "\"0.0.0.0:5004\"},\n"
         "          {kind: audio, payload_type: 111, codec: opus/48000/2, listen: "
         "\"0.0.0.0:5006\"}]\n"
         "    to:\n" +
         to;
}

/// The same with `source` as what is below `from`, in line 4.
inline std::string with_source(const std::string& source) {
  return "relays:\n"
         "  - stream: cam\n"
         "    from:\n"
         "      " +
         source +
         "\n"
         "    to: {rtp: {media: {kind: video, send: \"127.0.0.1:6000\"}}}\n";
}

}  // namespace runnel::config

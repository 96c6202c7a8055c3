// YAML text -> Config, or the list of everything that is wrong with it.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace runnel::config {

/// One complaint or one piece of advice.
struct Problem {
  Origin origin;
  std::string text;    // what is wrong: "unknown key 'payload_typ'"
  std::string remedy;  // what to write instead: "did you mean 'payload_type'?"

  /// "FILE:LINE: KEY: TEXT; REMEDY" on one line.
  [[nodiscard]] std::string to_string() const;
};

/// How the loader reaches outside of the text, so that tests and fuzzers need neither files nor
/// environment.
struct Surroundings {
  /// The value of an environment variable; nullopt when unset.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  /// The content of a file named in the configuration (relative to the configuration's folder), or
  /// why it cannot be read.
  std::function<std::expected<std::string, std::string>(const std::string& path)> read_file;
  /// Whether other users of the machine may read or change the file. Empty: nobody looks.
  std::function<bool(const std::string& path)> open_to_others;
  /// The path by which the daemon opens the file later on. Empty: as it is written.
  std::function<std::string(const std::string& path)> resolve = {};
};

/// Bytes; room for some ten thousand receivers.
inline constexpr std::size_t kMaxFileSize = 16 * 1024 * 1024;

struct Loaded {
  Config config;
  std::vector<Problem> warnings;  // a pinned SSRC under a static key, and the like
};

/// All errors at once, in the order of their lines, or what the text means. A text longer than
/// kMaxFileSize is refused unread. Secrets never appear in a problem. Throws nothing but what
/// `surroundings` throw.
[[nodiscard]] std::expected<Loaded, std::vector<Problem>> load_text(
    std::string_view yaml, const std::string& file_name, const Surroundings& surroundings);
/// Reads the file and uses the real environment.
[[nodiscard]] std::expected<Loaded, std::vector<Problem>> load_file(const std::string& path);

}  // namespace runnel::config

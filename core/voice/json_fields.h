// The few fields of a JSON text that the dialect needs, found by their path; the rest is skipped.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace runnel::voice {

/// What stands at a path. `std::monostate` is anything else than a text or a whole number.
using FieldValue = std::variant<std::monostate, std::string, std::uint64_t>;

class JsonFields {
 public:
  /// Looks for `paths`, such as "media.payload", in a text whose outermost value is an object. The
  /// error is a sentence that says what is wrong and where. Bounded by kMaxDepth and kMaxValues
  /// (client_message.h). A path that stands twice is an error. Never throws.
  [[nodiscard]] static std::expected<JsonFields, std::string> parse(
      std::string_view text, const std::vector<std::string_view>& paths);

  /// nullptr: not there.
  [[nodiscard]] const FieldValue* find(std::string_view path) const noexcept;

 private:
  std::vector<std::pair<std::string_view, FieldValue>> fields_;
};

}  // namespace runnel::voice

// Text that holds a secret, on its way from the file, the environment or a file beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// Wiped when it dies. Move-only.
class SecretText {
 public:
  explicit SecretText(std::string content) noexcept : text_(std::move(content)) {}
  SecretText(SecretText&& other) noexcept : text_(other.text_) { other.forget(); }
  SecretText& operator=(SecretText&&) = delete;
  ~SecretText() { forget(); }

  [[nodiscard]] std::string_view view() const noexcept { return text_; }
  /// Without white space before and behind it.
  [[nodiscard]] std::string_view trimmed() const noexcept;

 private:
  void forget() noexcept;

  std::string text_;
};

/// What stands in the file itself, or in the environment variable that "${NAME}" asks for. nullopt
/// after a problem.
[[nodiscard]] std::optional<SecretText> load_inline_secret(const Value& value,
                                                           const Surroundings& surroundings);

/// What is in the file that `value` names, with a warning where others may read it. nullopt after a
/// problem.
[[nodiscard]] std::optional<SecretText> load_secret_file(const Value& value,
                                                         const Surroundings& surroundings);

/// The value of one of two keys, of which `inline_name` holds the secret itself and `file_name`
/// names a file. `remedy` says what to add when neither is there. nullopt after a problem.
struct SecretPlace {
  Value value;
  bool is_file = false;
};
[[nodiscard]] std::optional<SecretPlace> find_secret(const Mapping& map,
                                                     std::string_view inline_name,
                                                     std::string_view file_name,
                                                     const std::string& remedy);

}  // namespace runnel::config

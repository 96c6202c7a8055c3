#include "config/secret_text.h"

#include <algorithm>

#include "core/base/secret.h"

namespace runnel::config {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_variable_name(std::string_view name) noexcept {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '_';
         });
}

/// The content of the environment variable that "${NAME}" asks for.
std::optional<SecretText> from_environment(const Value& place, std::string_view reference,
                                           const Surroundings& surroundings) {
  const std::string_view name =
      reference.ends_with('}') ? reference.substr(2, reference.size() - 3) : std::string_view{};
  if (!is_variable_name(name)) {
    place.error("is no reference to an environment variable",
                "write ${NAME}, and nothing before or behind it");
    return std::nullopt;
  }
  auto content = surroundings.environment ? surroundings.environment(std::string(name))
                                          : std::optional<std::string>();
  const bool is_set = content.has_value();
  if (is_set) {
    SecretText secret(std::move(*content));
    if (!secret.trimmed().empty()) return secret;
  }
  place.error("the environment variable " + quote(name) + (is_set ? " is empty" : " is not set"),
              "set it where runneld is started (in the unit: Environment or EnvironmentFile)");
  return std::nullopt;
}

}  // namespace

std::string_view SecretText::trimmed() const noexcept {
  const std::size_t first = text_.find_first_not_of(kSpace);
  if (first == std::string::npos) return {};
  return view().substr(first, text_.find_last_not_of(kSpace) - first + 1);
}

void SecretText::forget() noexcept {
  // All that is allocated: a short string may have been a longer one.
  text_.resize(text_.capacity());
  wipe(text_.data(), text_.size());
  text_.clear();
}

std::optional<SecretText> load_inline_secret(const Value& value, const Surroundings& surroundings) {
  const auto text = value.text();
  if (!text) return std::nullopt;
  SecretText secret{std::string(*text)};
  if (!secret.trimmed().starts_with("${")) return secret;
  return from_environment(value, secret.trimmed(), surroundings);
}

std::optional<SecretText> load_secret_file(const Value& value, const Surroundings& surroundings) {
  const auto path = value.text();
  if (!path) return std::nullopt;
  auto read = surroundings.read_file ? surroundings.read_file(std::string(*path))
                                     : std::unexpected(std::string("there are no files here"));
  if (!read) {
    value.error("cannot read " + quote(*path) + ": " + read.error(),
                "name a file that runneld's user may read, relative to the configuration's folder");
    return std::nullopt;
  }
  SecretText secret(std::move(*read));
  if (surroundings.open_to_others && surroundings.open_to_others(std::string(*path))) {
    value.warn("other users of this machine may read the key in " + quote(*path),
               "run: chmod go-rwx on the file");
  }
  return secret;
}

std::optional<SecretPlace> find_secret(const Mapping& map, std::string_view inline_name,
                                       std::string_view file_name, const std::string& remedy) {
  auto inline_value = map.find(inline_name);
  auto file = map.find(file_name);
  if (inline_value && file) {
    file->error("stands beside '" + std::string(inline_name) + "'", "keep one of the two");
    return std::nullopt;
  }
  if (inline_value) return SecretPlace{std::move(*inline_value), false};
  if (file) return SecretPlace{std::move(*file), true};
  map.value().error(
      "no " + std::string(inline_name) + " is given",
      "add '" + std::string(inline_name) + "' or '" + std::string(file_name) + "'; " + remedy);
  return std::nullopt;
}

}  // namespace runnel::config

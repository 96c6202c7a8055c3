#include "core/websocket/header_values.h"

#include <algorithm>

namespace runnel::websocket {
namespace {

constexpr std::size_t kMaxTokens = 64;
constexpr std::size_t kMaxExtensions = 16;
constexpr std::size_t kMaxParameters = 16;

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// tchar of RFC 9110 §5.6.2.
constexpr bool is_token_character(char c) noexcept {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

/// Takes a value apart from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] bool at_end() noexcept {
    skip_white_space();
    return text_.empty();
  }
  [[nodiscard]] bool accept(char wanted) noexcept {
    skip_white_space();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// Empty when there is none.
  [[nodiscard]] std::string_view token() noexcept {
    skip_white_space();
    const auto end = std::ranges::find_if_not(text_, is_token_character);
    const auto size = static_cast<std::size_t>(end - text_.begin());
    const std::string_view found = text_.substr(0, size);
    text_.remove_prefix(size);
    return found;
  }
  /// A token, or a quoted string that stands for one (RFC 6455 §9.1). Empty when there is none.
  [[nodiscard]] std::string token_or_quoted() {
    if (!accept('"')) return std::string(token());
    std::string value;
    while (!text_.empty() && text_.front() != '"') {
      if (text_.front() == '\\') text_.remove_prefix(1);
      if (text_.empty() || !is_token_character(text_.front())) return {};
      value += text_.front();
      text_.remove_prefix(1);
    }
    return accept('"') ? value : std::string();
  }

 private:
  void skip_white_space() noexcept {
    while (text_.starts_with(' ') || text_.starts_with('\t')) text_.remove_prefix(1);
  }

  std::string_view text_;
};

std::optional<Extension> parse_extension(Scanner& scanner) {
  Extension extension{.name = scanner.token(), .parameters = {}};
  if (extension.name.empty()) return std::nullopt;
  while (scanner.accept(';')) {
    ExtensionParameter parameter{.name = scanner.token(), .value = std::nullopt};
    if (parameter.name.empty() || extension.parameters.size() == kMaxParameters) {
      return std::nullopt;
    }
    if (scanner.accept('=')) {
      parameter.value = scanner.token_or_quoted();
      if (parameter.value->empty()) return std::nullopt;
    }
    extension.parameters.push_back(std::move(parameter));
  }
  return extension;
}

/// Parses the elements of a list, skipping those that are empty.
template <typename Element, typename ParseElement>
std::optional<std::vector<Element>> parse_list(std::string_view text, std::size_t max_elements,
                                               const ParseElement& parse_element) {
  std::vector<Element> elements;
  Scanner scanner(text);
  while (!scanner.at_end()) {
    if (scanner.accept(',')) continue;
    std::optional<Element> element = parse_element(scanner);
    if (!element || elements.size() == max_elements) return std::nullopt;
    elements.push_back(std::move(*element));
    if (!scanner.at_end() && !scanner.accept(',')) return std::nullopt;
  }
  return elements;
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool list_has_token(std::string_view list, std::string_view token) noexcept {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    Scanner element(list.substr(0, comma));
    const std::string_view found = element.token();
    if (equals_ignoring_case(found, token) && element.at_end()) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

std::optional<std::vector<std::string_view>> parse_token_list(std::string_view list) {
  return parse_list<std::string_view>(list, kMaxTokens,
                                      [](Scanner& scanner) -> std::optional<std::string_view> {
                                        const std::string_view token = scanner.token();
                                        if (token.empty()) return std::nullopt;
                                        return token;
                                      });
}

std::optional<std::vector<Extension>> parse_extensions(std::string_view value) {
  return parse_list<Extension>(value, kMaxExtensions, parse_extension);
}

}  // namespace runnel::websocket

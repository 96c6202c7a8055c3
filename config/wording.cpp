#include "config/wording.h"

#include <algorithm>
#include <array>
#include <vector>

namespace runnel::config {
namespace {

constexpr std::size_t kLongestQuote = 80;
constexpr std::size_t kShortestSecret = 33;  // the shortest key and salt, 28 bytes, are 38 digits
constexpr std::size_t kLongestWord = 64;     // longer ones are no typing mistakes
constexpr std::size_t kShortestPrefix = 3;   // "warn" is meant to be "warning"

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_base64_digit(char c) noexcept {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
         c == '=';
}

bool may_hold_a_secret(std::string_view text) noexcept {
  std::size_t run = 0;
  for (const char c : text) {
    run = is_base64_digit(c) ? run + 1 : 0;
    if (run >= kShortestSecret) return true;
  }
  return false;
}

std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c != '-' && c != '_') result.push_back(lower(c));
  }
  return result;
}

/// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string quote(std::string_view text) {
  if (text.size() > kLongestQuote || may_hold_a_secret(text)) {
    return "(" + std::to_string(text.size()) + " characters, not shown)";
  }
  std::string result = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    result.push_back(control ? ' ' : c);
  }
  return result + "'";
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return {};
  const std::string wanted = plain(word);
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::string known = plain(candidate);
    if (wanted.size() >= kShortestPrefix && known.starts_with(wanted)) return candidate;
    const std::size_t mistakes = distance(wanted, known);
    if (mistakes >= best || mistakes >= known.size()) continue;
    best = mistakes;
    found = candidate;
  }
  return found;
}

std::string any_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(word, candidates);
  if (near.empty()) return "use " + any_of(candidates);
  return "did you mean '" + std::string(near) + "'?";
}

bool is_placeholder(std::string_view text) {
  constexpr std::array<std::string_view, 11> kMarks{
      "<",        ">",         "your_",     "your-",     "yourhost",   "yourkey",
      "changeme", "change_me", "change-me", "base64 of", "placeholder"};
  std::string small;
  for (const char c : text) small.push_back(lower(c));
  const auto holds = [&](std::string_view mark) { return small.find(mark) != std::string::npos; };
  return small.find("...") != std::string::npos || std::any_of(kMarks.begin(), kMarks.end(), holds);
}

}  // namespace runnel::config

#include "core/sdp/transport_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/sdp/words.h"

namespace runnel::sdp {
namespace {

constexpr std::array<std::string_view, 4> kSetups = {"active", "passive", "actpass", "holdconn"};

bool is_ice_text(std::string_view text, std::size_t shortest, std::size_t longest) noexcept {
  const auto is_allowed = [](char c) { return is_alphanumeric(c) || c == '+' || c == '/'; };
  return text.size() >= shortest && text.size() <= longest && std::ranges::all_of(text, is_allowed);
}

bool is_hex_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Pairs of digits with colons between them.
bool is_fingerprint(std::string_view text) noexcept {
  if (text.size() % 3 != 2) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % 3 == 2 ? text[i] != ':' : !is_hex_digit(text[i])) return false;
  }
  return true;
}

}  // namespace

std::optional<Group> Group::parse(std::string_view value) {
  Group group;
  group.semantics = take_word(value);
  if (!is_token(group.semantics)) return std::nullopt;
  for (std::string_view mid; !(mid = take_word(value)).empty();) {
    if (!is_token(mid)) return std::nullopt;
    group.mids.emplace_back(mid);
  }
  return group;
}

std::string Group::to_string() const {
  std::string text = semantics;
  for (const std::string& mid : mids) text += " " + mid;
  return text;
}

std::optional<FingerprintText> FingerprintText::parse(std::string_view value) {
  const std::string_view function = take_word(value);
  const std::string_view digits = trimmed(value);
  if (!is_token(function) || !is_fingerprint(digits)) return std::nullopt;
  std::string text(function);
  text += ' ';
  text += digits;
  return FingerprintText{std::move(text)};
}

std::string_view to_string(Setup setup) noexcept {
  return kSetups[static_cast<std::size_t>(setup)];
}

std::optional<Setup> parse_setup(std::string_view value) noexcept {
  for (std::size_t i = 0; i < kSetups.size(); ++i) {
    if (kSetups[i] == value) return static_cast<Setup>(i);
  }
  return std::nullopt;
}

bool is_ice_ufrag(std::string_view text) noexcept {
  return is_ice_text(text, 4, 256);
}

bool is_ice_password(std::string_view text) noexcept {
  return is_ice_text(text, 22, 256);
}

std::optional<CandidateFields> CandidateFields::parse(std::string_view value) {
  CandidateFields fields;
  fields.foundation = take_word(value);
  const auto component = parse_number<std::uint16_t>(take_word(value), 256);
  fields.transport = take_word(value);
  const auto priority = parse_number<std::uint32_t>(take_word(value), 0xffffffff);
  fields.address = take_word(value);
  const auto port = parse_number<std::uint16_t>(take_word(value), 65'535);
  if (take_word(value) != "typ" || take_word(value).empty()) return std::nullopt;
  if (!component || !priority || !port) return std::nullopt;
  fields.component = *component;
  fields.priority = *priority;
  fields.port = *port;
  return fields;
}

}  // namespace runnel::sdp

#include "core/auth/jwt.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/auth/authenticator.h"
#include "core/auth/jwt_permissions.h"
#include "core/base/base64.h"

namespace runnel::auth {
namespace {

using nlohmann::json;

constexpr std::size_t kParts = 3;

/// Base64url without padding (RFC 7515 §2).
std::optional<std::string> decode_base64url(std::string_view text) {
  std::string standard(text);
  for (char& c : standard) {
    if (c == '+' || c == '/' || c == '=') return std::nullopt;
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  std::string decoded(standard.size(), '\0');
  const auto size =
      decode_base64(standard, {reinterpret_cast<std::uint8_t*>(decoded.data()), decoded.size()});
  if (!size) return std::nullopt;
  decoded.resize(*size);
  return decoded;
}

/// The JSON object that a part holds.
std::optional<json> decode_object(std::string_view part) {
  const auto text = decode_base64url(part);
  if (!text) return std::nullopt;
  bool is_too_deep = false;
  const auto look_at_depth = [&](int around, json::parse_event_t event, const json&) {
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    is_too_deep = is_too_deep || (opens && around >= kDeepestClaims);
    return !is_too_deep;
  };
  json object = json::parse(*text, look_at_depth, false);
  if (is_too_deep || !object.is_object()) return std::nullopt;
  return object;
}

/// Assigns the string `key` of `object`, if it is there. False when it is no string.
bool read_string(const json& object, const char* key, std::string& target) {
  const auto found = object.find(key);
  if (found == object.end()) return true;
  if (!found->is_string()) return false;
  target = found->get<std::string>();
  return true;
}

/// A NumericDate, which may have a fraction. False when it is no number.
bool read_time(const json& object, const char* key, std::optional<WallTime>& target) {
  constexpr double kFarthest = 9.0e15;  // beyond which a double does not tell seconds apart
  const auto found = object.find(key);
  if (found == object.end()) return true;
  if (!found->is_number()) return false;
  const double seconds = std::floor(std::clamp(found->get<double>(), -kFarthest, kFarthest));
  target = WallTime(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
  return true;
}

/// One recipient or a list of them. False when it is neither.
bool read_audience(const json& object, std::vector<std::string>& target) {
  const auto found = object.find("aud");
  if (found == object.end()) return true;
  const json list = found->is_array() ? *found : json::array({*found});
  for (const json& recipient : list) {
    if (!recipient.is_string()) return false;
    target.push_back(recipient.get<std::string>());
  }
  return true;
}

/// False when what is there must not be taken for a header of ours.
bool read_header(const json& header, Jwt& jwt) {
  std::string algorithm;
  std::string type = "JWT";
  if (!header.contains("alg") || !read_string(header, "alg", algorithm)) return false;
  if (!read_string(header, "kid", jwt.key_id) || jwt.key_id.size() > kLongestKeyId) return false;
  if (!read_string(header, "typ", type)) return false;
  jwt.algorithm = jwt_algorithm_from_name(algorithm);
  const bool is_jwt = std::ranges::equal(type, std::string_view("jwt"),
                                         [](char a, char b) { return (a | 0x20) == b; });
  // What is critical has to be understood (RFC 7515 §4.1.11), and none of it is.
  return is_jwt && !header.contains("crit");
}

bool read_claims(const json& claims, Jwt& jwt) {
  return read_string(claims, "iss", jwt.issuer) && read_string(claims, "sub", jwt.subject) &&
         read_audience(claims, jwt.audience) && read_time(claims, "exp", jwt.expires) &&
         read_time(claims, "nbf", jwt.not_before) && read_jwt_permissions(claims, jwt.permissions);
}

}  // namespace

bool looks_like_jwt(std::string_view token) noexcept {
  return std::ranges::count(token, '.') == kParts - 1;
}

std::expected<Jwt, AuthError> Jwt::parse(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (!looks_like_jwt(token)) return std::unexpected(AuthError::malformed);
  const auto header = decode_object(token.substr(0, first));
  const auto claims = decode_object(token.substr(first + 1, last - first - 1));
  const auto signature = decode_base64url(token.substr(last + 1));
  Jwt jwt;
  if (!header || !claims || !signature || !read_header(*header, jwt) ||
      !read_claims(*claims, jwt)) {
    return std::unexpected(AuthError::malformed);
  }
  return jwt;
}

}  // namespace runnel::auth

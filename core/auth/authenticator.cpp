#include "core/auth/authenticator.h"

#include <algorithm>
#include <utility>

#include "core/auth/jwt.h"
#include "core/auth/jwt_signature.h"

namespace runnel::auth {
namespace {

Identity anyone() {
  return {"anyone", Permissions::everything(), std::nullopt, 0};
}

/// For Identity::key, in which 0 means that there is no token.
std::uint64_t stable_key(const std::string& text) noexcept {
  return std::max<std::uint64_t>(TokenDigest(text).prefix(), 1);
}

/// `text` made fit for a log line.
std::string printable(std::string_view text) {
  std::string name(text.substr(0, kLongestIdentityName));
  std::ranges::replace_if(name, [](char c) { return c <= ' ' || c > '~'; }, '?');
  return name;
}

/// Looks at all of them, so that the time taken does not tell which one it was.
const StaticToken* find_token(const std::vector<StaticToken>& tokens, const TokenDigest& digest) {
  const StaticToken* found = nullptr;
  for (const StaticToken& token : tokens) {
    if (token.digest.equals(digest)) found = &token;
  }
  return found;
}

std::expected<Identity, AuthError> identify(WallTime now, const StaticToken& token) {
  if (token.expiry && now >= *token.expiry) return std::unexpected(AuthError::expired);
  return Identity{token.name, token.permissions, token.expiry,
                  stable_key("static token\n" + token.name)};
}

/// The keys that may have signed a token: the one that it names, or those that nobody names.
std::vector<const JwtKey*> candidates(const std::vector<JwtKey>& keys, const Jwt& jwt) {
  const auto is_named = [&](const JwtKey& key) { return key.id() == jwt.key_id; };
  const bool has_named = !jwt.key_id.empty() && std::ranges::any_of(keys, is_named);
  std::vector<const JwtKey*> found;
  for (const JwtKey& key : keys) {
    const bool fits = has_named ? is_named(key) : jwt.key_id.empty() || key.id().empty();
    if (fits) found.push_back(&key);
  }
  return found;
}

/// nullopt: signed by a key of ours.
std::optional<AuthError> check_signature(std::string_view token, const Jwt& jwt,
                                         const std::vector<JwtKey>& keys) {
  std::vector<const JwtKey*> fitting = candidates(keys, jwt);
  if (fitting.empty()) return AuthError::unknown_key;
  std::erase_if(fitting, [&](const JwtKey* key) { return jwt.algorithm != key->algorithm(); });
  if (fitting.empty()) return AuthError::wrong_algorithm;
  const std::string text(token);
  const bool is_signed =
      std::ranges::any_of(fitting, [&](const JwtKey* key) { return is_signed_by(text, *key); });
  if (!is_signed) return AuthError::wrong_signature;
  return std::nullopt;
}

/// nullopt: meant for us, and now.
std::optional<AuthError> check_claims(WallTime now, const Jwt& jwt, const JwtSettings& settings) {
  if (!settings.issuer.empty() && jwt.issuer != settings.issuer) return AuthError::wrong_issuer;
  const auto is_ours = [&](const std::string& recipient) {
    return std::ranges::find(settings.audience, recipient) != settings.audience.end();
  };
  if (!settings.audience.empty() && !std::ranges::any_of(jwt.audience, is_ours)) {
    return AuthError::wrong_audience;
  }
  if (jwt.expires && now >= *jwt.expires + kClockLeeway) return AuthError::expired;
  if (jwt.not_before && now < *jwt.not_before - kClockLeeway) return AuthError::not_yet_valid;
  if (jwt.permissions.grants.empty()) return AuthError::without_permissions;
  return std::nullopt;
}

std::expected<Identity, AuthError> identify(WallTime now, std::string_view token,
                                            const JwtSettings& settings) {
  auto jwt = Jwt::parse(token);
  if (!jwt) return std::unexpected(jwt.error());
  if (const auto error = check_signature(token, *jwt, settings.keys)) {
    return std::unexpected(*error);
  }
  if (const auto error = check_claims(now, *jwt, settings)) return std::unexpected(*error);
  Identity identity;
  identity.name = printable(jwt->subject);
  identity.permissions = std::move(jwt->permissions);
  if (jwt->expires) identity.expiry = *jwt->expires + kClockLeeway;
  identity.key = stable_key(jwt->subject.empty() ? std::string(token)
                                                 : "JWT\n" + jwt->issuer + "\n" + jwt->subject);
  return identity;
}

}  // namespace

Authenticator::Authenticator(Settings settings) : settings_(std::move(settings)) {}

std::expected<Identity, AuthError> Authenticator::authenticate(WallTime now,
                                                               std::string_view token) const {
  if (!needs_token()) return anyone();
  if (token.empty()) return std::unexpected(AuthError::missing);
  if (token.size() > kLongestToken) return std::unexpected(AuthError::malformed);
  if (const StaticToken* known = find_token(settings_.tokens, TokenDigest(token))) {
    return identify(now, *known);
  }
  if (settings_.jwt.keys.empty() || !looks_like_jwt(token)) {
    return std::unexpected(AuthError::unknown);
  }
  return identify(now, token, settings_.jwt);
}

}  // namespace runnel::auth

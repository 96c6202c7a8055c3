// Token in, identity out: static tokens and JWTs.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/auth_error.h"
#include "core/auth/identity.h"
#include "core/auth/jwt_key.h"
#include "core/auth/static_token.h"

namespace runnel::auth {

/// How far clocks may differ where `exp` and `nbf` of a JWT are looked at.
inline constexpr std::chrono::seconds kClockLeeway{60};

/// Objects and lists inside of each other, in header and claims of a JWT.
inline constexpr int kDeepestClaims = 8;

struct JwtSettings {
  std::vector<JwtKey> keys;           // none: no JWT is accepted
  std::string issuer;                 // what `iss` must be; empty: anything
  std::vector<std::string> audience;  // one of which `aud` must name; empty: anything
};

/// Everybody without a token may do everything, or nobody without one may do anything.
enum class Policy : std::uint8_t {
  open,  // also where no `auth` is configured, in which case the daemon serves loopback alone
  tokens,
};

struct Settings {
  Policy policy = Policy::open;
  std::vector<StaticToken> tokens;
  JwtSettings jwt;
};

/// Decides who somebody is. It keeps no memory of tries (see FailureLimiter). Not a hot path: it
/// allocates. Thread-safe once built.
///
/// A JWT (RFC 7519, compact serialisation) is accepted when its header's `alg` is the algorithm of
/// the key that its `kid` names; without `kid`, every key of that algorithm is tried. Refused are
/// `none`, critical headers (`crit`), a `typ` other than JWT, and JSON nested deeper than
/// kDeepestClaims. `exp` and `nbf` are optional, and looked at with kClockLeeway. The permissions
/// are in the claim `runnel`:
///
///     {"sub": "alice", "exp": 1893456000,
///      "runnel": {"publish": ["cam-*"], "subscribe": ["*"], "watch": ["cam-*"],
///                 "admin": false, "take_over": true}}
///
/// Each action has a list of stream patterns, or a single one; true stands for all streams, false
/// and nothing for none. Unknown members are ignored.
class Authenticator {
 public:
  explicit Authenticator(Settings settings);

  /// Whether somebody without a token gets nowhere.
  [[nodiscard]] bool needs_token() const noexcept { return settings_.policy == Policy::tokens; }
  /// `token` as the client gave it; empty: none. With Policy::open no token is looked at.
  [[nodiscard]] std::expected<Identity, AuthError> authenticate(WallTime now,
                                                                std::string_view token) const;

 private:
  Settings settings_;
};

}  // namespace runnel::auth

// JWTs: whatever somebody sends is refused unless it is signed, by the taking apart or by the
// library that verifies; and what a token claims is a set of valid patterns.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/auth/authenticator.h"
#include "core/auth/bearer.h"
#include "core/auth/jwt.h"
#include "core/base/base64.h"
#include "core/base/check.h"

namespace {

using namespace runnel;
using namespace runnel::auth;

constexpr std::string_view kSecret = "what the fuzzer should never find";

ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Authenticator make_authenticator() {
  Settings settings;
  settings.policy = Policy::tokens;
  settings.jwt.keys.push_back(JwtKey::create(JwtAlgorithm::hs256, "", bytes_of(kSecret)).value());
  return Authenticator(std::move(settings));
}

std::string base64url(std::string_view text) {
  std::string encoded = encode_base64(bytes_of(text));
  encoded.resize(encoded.find_last_not_of('=') + 1);
  for (char& c : encoded) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return encoded;
}

void try_token(std::string_view token) {
  static const Authenticator authenticator = make_authenticator();
  RUNNEL_CHECK(!authenticator.authenticate(WallTime{}, token));
  if (token.size() > kLongestToken) return;
  const auto jwt = Jwt::parse(token);
  if (!jwt) return;
  RUNNEL_CHECK(is_bearer_token(token) || token.ends_with('.'));
  for (const Grant& grant : jwt->permissions.grants) {
    RUNNEL_CHECK(!grant.actions.empty() && !grant.streams.empty());
    for (const std::string& pattern : grant.streams) RUNNEL_CHECK(is_stream_pattern(pattern));
  }
}

}  // namespace

/// The token as it is; and one whose header is the first line and whose claims are the rest.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_token(text);
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return 0;
  try_token(base64url(text.substr(0, line)) + "." + base64url(text.substr(line + 1)) + ".AAAA");
  return 0;
}

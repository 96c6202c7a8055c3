// Makes JWTs, good ones and bad ones, from the text of header and claims.
#pragma once

#include <cstdlib>
#include <jwt.h>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/auth/jwt_key.h"
#include "core/base/base64.h"

namespace runnel::auth::test {

inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string base64url(std::string_view text) {
  std::string encoded = encode_base64(bytes_of(text));
  encoded.resize(encoded.find_last_not_of('=') + 1);
  for (char& c : encoded) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return encoded;
}

/// `signature` is what it says, or empty.
inline std::string unsigned_jwt(std::string_view header, std::string_view claims,
                                std::string_view signature = "AAAA") {
  return base64url(header) + "." + base64url(claims) + "." + std::string(signature);
}

/// Signed by libjwt, which writes the header. `key` is a private key in PEM, or a secret.
inline std::string sign(jwt_alg_t algorithm, const std::string& key, const std::string& claims,
                        const std::string& key_id = "") {
  jwt_t* jwt = nullptr;
  EXPECT_EQ(jwt_new(&jwt), 0);
  EXPECT_EQ(jwt_add_grants_json(jwt, claims.c_str()), 0);
  if (!key_id.empty()) {
    EXPECT_EQ(jwt_add_header(jwt, "kid", key_id.c_str()), 0);
  }
  EXPECT_EQ(jwt_set_alg(jwt, algorithm, bytes_of(key).data(), static_cast<int>(key.size())), 0);
  char* encoded = jwt_encode_str(jwt);
  std::string text = encoded == nullptr ? "" : encoded;
  std::free(encoded);
  jwt_free(jwt);
  return text;
}

inline JwtKey key_of(JwtAlgorithm algorithm, std::string_view material, std::string id = "") {
  auto key = JwtKey::create(algorithm, std::move(id), bytes_of(material));
  EXPECT_TRUE(key) << (key ? "" : to_string(key.error()));
  return std::move(key.value());
}

}  // namespace runnel::auth::test

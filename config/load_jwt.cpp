#include "config/load_jwt.h"

#include <algorithm>

#include "config/secret_text.h"

namespace runnel::config {
namespace {

using auth::JwtAlgorithm;
using auth::JwtKeyError;

constexpr Choice<JwtAlgorithm> kAlgorithms[] = {
    {"HS256", JwtAlgorithm::hs256}, {"RS256", JwtAlgorithm::rs256}, {"ES256", JwtAlgorithm::es256}};

ByteView bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string kind_of_key(JwtAlgorithm algorithm) {
  return algorithm == JwtAlgorithm::rs256 ? "an RSA public key" : "a public key on the curve P-256";
}

/// What is wrong with the material, and what to put there instead.
void complain(const Value& place, JwtAlgorithm algorithm, JwtKeyError error) {
  const std::string name(to_string(algorithm));
  const std::string wanted = name + " needs " + kind_of_key(algorithm) + " in PEM";
  switch (error) {
    case JwtKeyError::too_short:
      return place.error(
          "the secret has fewer than " + std::to_string(auth::kShortestHmacSecret) + " bytes",
          "a new one is made by: openssl rand -hex 32");
    case JwtKeyError::too_long:
      return place.error(
          "the key is longer than " + std::to_string(auth::kLongestJwtKey) + " bytes",
          "is this the right file?");
    case JwtKeyError::public_key:
      return place.error("HS256 needs a secret, and this is a key in PEM",
                         "write algorithm: RS256 or ES256, or give the secret that signs");
    case JwtKeyError::private_key:
      return place.error("this is a private key, which only who makes tokens may have",
                         "give the public one: openssl pkey -in FILE -pubout");
    case JwtKeyError::not_a_key:
      return place.error("there is no public key in it",
                         wanted + " (of a certificate: openssl x509 -in FILE -pubkey -noout)");
    case JwtKeyError::wrong_kind:
      return place.error("the key is of another kind", wanted);
    case JwtKeyError::too_few_bits:
      return place.error(
          "the key is too short to be safe",
          "use an RSA key of " + std::to_string(auth::kSmallestRsaKey) + " bits at least");
  }
}

std::optional<auth::JwtKey> make_key(const Value& place, JwtAlgorithm algorithm, std::string id,
                                     std::string_view material) {
  if (algorithm == JwtAlgorithm::hs256 && is_placeholder(material)) {
    place.error("the secret is a placeholder",
                "put your own here; a new one is made by: openssl rand -hex 32");
    return std::nullopt;
  }
  auto key = auth::JwtKey::create(algorithm, std::move(id), bytes_of(material));
  if (!key) complain(place, algorithm, key.error());
  return key ? std::optional(std::move(*key)) : std::nullopt;
}

std::optional<std::string> load_key_id(const Mapping& map) {
  const auto value = map.find("kid");
  if (!value) return "";
  const auto text = value->text();
  if (!text) return std::nullopt;
  if (text->size() <= auth::kLongestKeyId) return std::string(*text);
  value->error("has " + std::to_string(text->size()) + " characters",
               "use at most " + std::to_string(auth::kLongestKeyId));
  return std::nullopt;
}

std::optional<auth::JwtKey> load_key(const Value& value, const Surroundings& surroundings) {
  const auto map = value.mapping(kJwtKeySchema);
  if (!map) return std::nullopt;
  const auto name = map->require("algorithm", "add HS256, RS256 or ES256");
  const auto algorithm = name ? name->choice(kAlgorithms) : std::nullopt;
  const auto id = load_key_id(*map);
  if (!algorithm || !id) return std::nullopt;
  const bool is_secret = *algorithm == JwtAlgorithm::hs256;
  const auto place = find_secret(
      *map, "secret", "key_file",
      is_secret ? "the secret is made by: openssl rand -hex 32"
                : std::string(to_string(*algorithm)) + " needs " + kind_of_key(*algorithm));
  if (!place) return std::nullopt;
  if (!is_secret && !place->is_file) {
    place->value.error(std::string(to_string(*algorithm)) + " has no secret",
                       "name the file with " + kind_of_key(*algorithm) + " as 'key_file'");
    return std::nullopt;
  }
  Surroundings lenient = surroundings;
  if (!is_secret) lenient.open_to_others = nullptr;  // anybody may read a public key
  const auto content = place->is_file ? load_secret_file(place->value, lenient)
                                      : load_inline_secret(place->value, surroundings);
  if (!content) return std::nullopt;
  return make_key(place->value, *algorithm, *id, content->trimmed());
}

/// False after a problem.
bool load_keys(const Value& list, const Surroundings& surroundings,
               std::vector<auth::JwtKey>& keys) {
  const std::vector<Value> items = list.items();
  if (items.empty() || items.size() > kMostJwtKeys) {
    list.error("has " + std::to_string(items.size()) + " keys",
               "give 1 to " + std::to_string(kMostJwtKeys));
    return false;
  }
  for (const Value& item : items) {
    auto key = load_key(item, surroundings);
    if (!key) continue;
    const auto is_same = [&](const auth::JwtKey& other) { return other.id() == key->id(); };
    if (!key->id().empty() && std::any_of(keys.begin(), keys.end(), is_same)) {
      item.error("a second key with the kid " + quote(key->id()), "give each key its own");
      continue;
    }
    keys.push_back(std::move(*key));
  }
  return keys.size() == items.size();
}

}  // namespace

bool load_jwt(const Value& value, const Surroundings& surroundings, auth::JwtSettings& jwt) {
  const auto map = value.mapping(kJwtSchema);
  if (!map) return false;
  const auto list = map->require("keys", "add the keys that tokens are signed with");
  bool good = list && load_keys(*list, surroundings, jwt.keys);
  if (const auto issuer = map->find("issuer")) {
    const auto text = issuer->text();
    good = good && text.has_value();
    jwt.issuer = text.value_or("");
  }
  if (const auto audience = map->find("audience")) {
    for (const Value& item : audience->items()) {
      const auto text = item.text();
      good = good && text.has_value();
      jwt.audience.emplace_back(text.value_or(""));
    }
  }
  return good;
}

}  // namespace runnel::config

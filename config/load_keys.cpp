#include "config/load_keys.h"

#include <algorithm>

#include "config/quantities.h"
#include "config/secret_text.h"
#include "core/base/base64.h"

namespace runnel::config {
namespace {

constexpr std::size_t kLongestKeyText = 4096;
constexpr std::size_t kMostKeys = 16;

using Mki = std::vector<std::uint8_t>;

std::size_t size_of(srtp::Profile suite) {
  return srtp::parameters(suite).key_size + srtp::parameters(suite).salt_size;
}

std::string bytes(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string how_to_make(srtp::Profile suite) {
  return "a new one is made by: openssl rand -base64 " + std::to_string(size_of(suite));
}

void complain_about_length(const Value& place, srtp::Profile suite, std::size_t given) {
  const std::string what = std::string(srtp::to_string(suite)) + " needs " + bytes(size_of(suite)) +
                           " of key and salt, but " + bytes(given) +
                           (given == 1 ? " is given" : " are given");
  std::vector<std::string_view> fitting;
  for (const srtp::Profile other : srtp::kProfiles) {
    if (size_of(other) == given) fitting.push_back(srtp::to_string(other));
  }
  const std::string fits = fitting.empty() ? "" : bytes(given) + " fit " + any_of(fitting) + "; ";
  place.error(what, fits + how_to_make(suite));
}

bool is_hex_key(std::string_view text, srtp::Profile suite) {
  const auto hex = parse_hex(text);
  return hex && hex->size() == size_of(suite);
}

/// `text` is trimmed. `place` is where it came from.
std::optional<srtp::MasterKey> decode(const Value& place, srtp::Profile suite,
                                      std::string_view text, const Mki& mki) {
  if (text.starts_with("inline:")) text.remove_prefix(7);
  if (const std::size_t bar = text.find('|'); bar != std::string_view::npos) {
    place.error("the key is followed by SDES parameters ('|...')",
                "write the base64 before the first '|' alone; an MKI belongs in 'mki'");
    return std::nullopt;
  }
  if (is_placeholder(text)) {
    place.error("the key is a placeholder", "put your own key here; " + how_to_make(suite));
    return std::nullopt;
  }
  if (is_hex_key(text, suite)) {
    place.error("the key is written in hexadecimal", "write it in base64: xxd -r -p | base64 -w0");
    return std::nullopt;
  }
  auto key = srtp::MasterKey::from_base64(suite, text, mki);
  if (key) return std::move(*key);
  if (const auto given = decode_base64(text, {})) {
    complain_about_length(place, suite, *given);
  } else {
    place.error("the key is not base64, or its end is cut off",
                "use the text behind inline: in a=crypto; " + how_to_make(suite));
  }
  return std::nullopt;
}

std::optional<srtp::MasterKey> load_from_file(const Value& value, srtp::Profile suite,
                                              const Mki& mki, const Surroundings& surroundings) {
  const auto path = value.text();
  if (!path) return std::nullopt;
  if (path->starts_with("${")) {
    value.error("environment variables are understood in 'key' alone",
                "write the path here, or put the key into the variable");
    return std::nullopt;
  }
  if (decode_base64(*path, {}) == size_of(suite) || is_hex_key(*path, suite)) {
    value.error("holds a key instead of a file's name", "write it as 'key'");
    return std::nullopt;
  }
  const auto content = load_secret_file(value, surroundings);
  if (!content) return std::nullopt;
  const std::string_view key = content->trimmed();
  if (key.empty() || key.size() > kLongestKeyText) {
    value.error("the file " + quote(*path) + (key.empty() ? " is empty" : " is too long for a key"),
                "it has to hold one key in base64; " + how_to_make(suite));
    return std::nullopt;
  }
  return decode(value, suite, key, mki);
}

/// Whichever of two keys is there; both, or none where one is needed, is a problem.
std::optional<srtp::MasterKey> load_one(const Mapping& map, std::string_view key_name,
                                        std::string_view file_name, srtp::Profile suite,
                                        const Mki& mki, const Surroundings& surroundings) {
  const auto place = find_secret(map, key_name, file_name, how_to_make(suite));
  if (!place) return std::nullopt;
  if (place->is_file) return load_from_file(place->value, suite, mki, surroundings);
  const auto secret = load_inline_secret(place->value, surroundings);
  if (!secret) return std::nullopt;
  return decode(place->value, suite, secret->trimmed(), mki);
}

std::optional<Mki> load_mki(const Mapping& map) {
  const auto value = map.find("mki");
  if (!value) return Mki{};
  const auto text = value->text();
  if (!text) return std::nullopt;
  const auto mki = parse_hex(*text);
  if (mki && mki->size() <= srtp::kMaxMkiSize) return mki;
  value->error(quote(*text) + (mki ? " is too long" : " is no key identifier"),
               "write 1 to " + std::to_string(srtp::kMaxMkiSize) +
                   " bytes in hexadecimal, two digits each, such as \"0x01\"");
  return std::nullopt;
}

/// Packets name their key by MKI, so that several keys need MKIs of one length, all distinct.
bool are_distinguishable(const Value& list, const std::vector<srtp::MasterKey>& keys) {
  for (const srtp::MasterKey& key : keys) {
    const auto same_mki = [&](const srtp::MasterKey& other) {
      return &other != &key && std::ranges::equal(other.mki(), key.mki());
    };
    if (key.mki().empty()) {
      list.error("several keys are told apart by their MKI, and one has none",
                 "give each key its 'mki', such as \"0x01\" and \"0x02\"");
      return false;
    }
    if (key.mki().size() != keys.front().mki().size()) {
      list.error("the MKIs differ in length", "write all of them with the same number of digits");
      return false;
    }
    if (std::any_of(keys.begin(), keys.end(), same_mki)) {
      list.error("two keys have the same MKI", "give each key its own");
      return false;
    }
  }
  return true;
}

bool load_key_list(const Value& list, const Surroundings& surroundings, Srtp& srtp) {
  const std::vector<Value> items = list.items();
  if (items.empty() || items.size() > kMostKeys) {
    list.error("has " + std::to_string(items.size()) + " keys",
               "give 1 to " + std::to_string(kMostKeys));
    return false;
  }
  for (const Value& item : items) {
    const auto map = item.mapping(kKeySchema);
    if (!map) return false;
    const auto mki = load_mki(*map);
    if (!mki) continue;
    auto key = load_one(*map, "key", "key_file", srtp.suite, *mki, surroundings);
    if (key) srtp.keys.push_back(std::move(*key));
  }
  return srtp.keys.size() == items.size() &&
         (items.size() == 1 || are_distinguishable(list, srtp.keys));
}

bool load_media_keys(const Mapping& leg, const Surroundings& surroundings, Srtp& srtp) {
  if (const auto list = leg.find("keys")) {
    for (const std::string_view other : {"key", "key_file", "mki"}) {
      const auto beside = leg.find(other);
      if (!beside) continue;
      beside->error("stands beside 'keys'", "move it into an entry of 'keys', or remove 'keys'");
      return false;
    }
    return load_key_list(*list, surroundings, srtp);
  }
  const auto mki = load_mki(leg);
  if (!mki) return false;
  auto key = load_one(leg, "key", "key_file", srtp.suite, *mki, surroundings);
  if (key) srtp.keys.push_back(std::move(*key));
  return key.has_value();
}

std::optional<srtp::Profile> load_suite(const Mapping& leg) {
  std::vector<std::string_view> names;
  for (const srtp::Profile profile : srtp::kProfiles) names.push_back(srtp::to_string(profile));
  const auto value = leg.require("suite", "add one of " + any_of(names));
  const auto text = value ? value->text() : std::nullopt;
  if (!text) return std::nullopt;
  const auto suite = srtp::profile_from_name(*text);
  if (!suite) value->error(quote(*text) + " is no SRTP suite", suggestion(*text, names));
  return suite;
}

}  // namespace

std::optional<Srtp> load_srtp(const Mapping& leg, const Surroundings& surroundings) {
  const auto suite = load_suite(leg);
  if (!suite) return std::nullopt;
  Srtp srtp;
  srtp.suite = *suite;
  if (!load_media_keys(leg, surroundings, srtp)) return std::nullopt;
  if (leg.has("reply_key") || leg.has("reply_key_file")) {
    const ByteView mki = srtp.keys.front().mki();
    auto reply = load_one(leg, "reply_key", "reply_key_file", srtp.suite,
                          Mki(mki.begin(), mki.end()), surroundings);
    if (!reply) return std::nullopt;
    srtp.reply_keys.push_back(std::move(*reply));
  }
  return srtp;
}

}  // namespace runnel::config

#include "config/load_auth.h"

#include <algorithm>

#include "config/calendar.h"
#include "config/load_jwt.h"
#include "config/names.h"
#include "config/secret_text.h"
#include "core/auth/bearer.h"

namespace runnel::config {
namespace {

constexpr std::size_t kLongestStaticToken = 1'024;
const std::string kHowToMake = "a new one is made by: openssl rand -hex 32";

constexpr Choice<auth::Action> kActions[] = {{"publish", auth::Action::publish},
                                             {"subscribe", auth::Action::subscribe},
                                             {"watch", auth::Action::watch},
                                             {"admin", auth::Action::admin}};

/// nullopt after a problem, which never repeats the token.
std::optional<auth::TokenDigest> digest_of(const Value& place, std::string_view token) {
  if (is_placeholder(token)) {
    place.error("the token is a placeholder", "put your own token here; " + kHowToMake);
  } else if (token.size() < auth::kShortestToken) {
    place.error(
        "the token has " + std::to_string(token.size()) + " characters, so that it can be guessed",
        "use " + std::to_string(auth::kShortestToken) + " at least; " + kHowToMake);
  } else if (token.size() > kLongestStaticToken) {
    place.error("the token has " + std::to_string(token.size()) + " characters",
                "use at most " + std::to_string(kLongestStaticToken) + "; " + kHowToMake);
  } else if (!auth::is_bearer_token(token)) {
    place.error("the token has characters that an Authorization header cannot carry",
                "use letters, digits and -._~+/, with '=' at the end alone; " + kHowToMake);
  } else {
    return auth::TokenDigest(token);
  }
  return std::nullopt;
}

/// Whether a file's name is a token in the wrong place, which no message may repeat.
bool is_meant_as_token(std::string_view path) noexcept {
  return path.size() >= auth::kShortestToken && auth::is_bearer_token(path) &&
         path.find_first_of("./") == std::string_view::npos;
}

bool is_there(std::string_view path, const Surroundings& surroundings) {
  if (!surroundings.read_file) return false;
  auto read = surroundings.read_file(std::string(path));
  if (!read) return false;
  const SecretText to_be_wiped(std::move(*read));
  return true;
}

std::optional<auth::TokenDigest> load_token(const Mapping& map, const Surroundings& surroundings) {
  const auto place = find_secret(map, "token", "token_file", kHowToMake);
  if (!place) return std::nullopt;
  if (!place->is_file) {
    const auto secret = load_inline_secret(place->value, surroundings);
    return secret ? digest_of(place->value, secret->trimmed()) : std::nullopt;
  }
  const auto path = place->value.text();
  if (!path) return std::nullopt;
  if (is_meant_as_token(*path) && !is_there(*path, surroundings)) {
    place->value.error("holds a token instead of a file's name", "write it as 'token'");
    return std::nullopt;
  }
  const auto secret = load_secret_file(place->value, surroundings);
  return secret ? digest_of(place->value, secret->trimmed()) : std::nullopt;
}

bool load_name(const Mapping& map, std::string& name) {
  const auto value = map.require("name", "add the name by which logs call its bearer");
  const auto text = value ? value->text() : std::nullopt;
  if (!text) return false;
  name = *text;
  if (is_name(name)) return true;
  value->error(quote(name) + " is no name", kNameAdvice);
  return false;
}

bool load_actions(const Mapping& map, auth::ActionSet& actions) {
  const auto value =
      map.require("may", "add what it is for, such as may: [publish], or [subscribe, watch]");
  if (!value) return false;
  for (const Value& item : value->items()) {
    const auto action = item.choice(kActions);
    if (!action) return false;
    actions.add(*action);
  }
  if (actions.empty()) {
    value->error("is an empty list, which would allow nothing", "name at least one action");
  }
  return !actions.empty();
}

bool load_streams(const Mapping& map, std::vector<std::string>& streams) {
  const auto value = map.find("streams");
  if (!value) return true;
  streams.clear();
  for (const Value& item : value->items()) {
    const auto text = item.text();
    if (!text) return false;
    if (!auth::is_stream_pattern(*text)) {
      item.error(quote(*text) + " is neither a stream's name nor a pattern",
                 "use up to 64 letters, digits, '-', '_' or '.', and '*' for any of them, such as "
                 "\"cam-*\"");
      return false;
    }
    streams.emplace_back(*text);
  }
  if (streams.empty()) {
    value->error("is an empty list, which would allow no stream",
                 "name streams, or remove 'streams' to allow all");
  }
  return !streams.empty();
}

bool load_expiry(const Mapping& map, std::optional<auth::WallTime>& expiry) {
  const auto value = map.find("expires");
  const auto text = value ? value->text() : std::nullopt;
  if (!value || !text) return !value;
  expiry = parse_time(*text);
  if (!expiry) {
    value->error(quote(*text) + " is neither a date nor a time",
                 "write \"2027-01-31\", from whose beginning in UTC the token is refused, or "
                 "\"2027-01-31T18:00:00+01:00\"");
  }
  return expiry.has_value();
}

bool load_take_over(const Mapping& map, bool& take_over) {
  const auto value = map.find("take_over");
  const auto flag = value ? value->boolean() : std::optional(take_over);
  if (flag) take_over = *flag;
  return flag.has_value();
}

std::optional<auth::StaticToken> load_entry(const Value& value, const Surroundings& surroundings) {
  const auto map = value.mapping(kTokenSchema);
  if (!map) return std::nullopt;
  std::string name;
  auth::Grant grant{{}, {"*"}};
  auth::Permissions permissions;
  std::optional<auth::WallTime> expiry;
  auto digest = load_token(*map, surroundings);
  bool good = load_name(*map, name) && digest.has_value();
  good &= load_actions(*map, grant.actions);
  good &= load_streams(*map, grant.streams);
  good &= load_take_over(*map, permissions.take_over);
  good &= load_expiry(*map, expiry);
  if (!good) return std::nullopt;
  permissions.grants.push_back(std::move(grant));
  return auth::StaticToken{std::move(name), std::move(*digest), std::move(permissions), expiry};
}

/// Names are told apart in logs, tokens by what they may do. False after a problem.
bool is_new(const Value& item, const auth::StaticToken& token,
            const std::vector<auth::StaticToken>& others) {
  for (const auth::StaticToken& other : others) {
    if (other.name == token.name) {
      item.error("a second token named " + quote(token.name), "give each its own name");
      return false;
    }
    if (other.digest.equals(token.digest)) {
      item.error("is the same token as that of " + quote(other.name),
                 "give each its own; " + kHowToMake);
      return false;
    }
  }
  return true;
}

bool load_tokens(const Value& list, const Surroundings& surroundings,
                 std::vector<auth::StaticToken>& tokens) {
  const std::vector<Value> items = list.items();
  if (items.size() > kMostTokens) {
    list.error("has " + std::to_string(items.size()) + " entries",
               "give at most " + std::to_string(kMostTokens) + ", or use jwt");
    return false;
  }
  bool good = true;
  for (const Value& item : items) {
    auto token = load_entry(item, surroundings);
    if (token && is_new(item, *token, tokens)) {
      tokens.push_back(std::move(*token));
    } else {
      good = false;
    }
  }
  return good;
}

/// Everybody or those with a token, one of the two. False after a problem.
bool load_policy(const Mapping& map, bool is_open, auth::Settings& settings) {
  const bool has_tokens = !settings.tokens.empty() || !settings.jwt.keys.empty();
  settings.policy = is_open ? auth::Policy::open : auth::Policy::tokens;
  if (is_open && has_tokens) {
    map.find("open")->error("everybody may do everything, so that no token is ever looked at",
                            "remove 'open', or the tokens");
  } else if (!is_open && !has_tokens) {
    map.value().error("nobody could come in",
                      "add tokens or jwt, or open: true when everybody may do everything");
  }
  return is_open != has_tokens;
}

}  // namespace

bool load_auth(const Value& value, const Surroundings& surroundings, Auth& auth) {
  const auto map = value.mapping(kAuthSchema);
  if (!map || value.is_null()) return map.has_value();
  auth.is_configured = true;
  auth.origin = value.origin();
  bool is_open = false;
  bool good = true;
  const auto read_flag = [&](bool& target, std::string_view key) {
    const auto found = map->find(key);
    const auto flag = found ? found->boolean() : std::optional(target);
    good = good && flag.has_value();
    if (flag) target = *flag;
  };
  read_flag(is_open, "open");
  read_flag(auth.query, "query");
  if (const auto tokens = map->find("tokens")) {
    good &= load_tokens(*tokens, surroundings, auth.settings.tokens);
  }
  if (const auto jwt = map->find("jwt")) good &= load_jwt(*jwt, surroundings, auth.settings.jwt);
  return good && load_policy(*map, is_open, auth.settings);
}

}  // namespace runnel::config

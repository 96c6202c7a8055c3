#include "config/schema.h"

#include <algorithm>

#include "config/wording.h"

namespace runnel::config {

bool Schema::knows(std::string_view key) const noexcept {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

namespace {

/// The mapping that knows `key`; rather one on the same side of the relay, "from" or "to".
const Schema* home_of(std::string_view key, const Schema& schema) noexcept {
  const Schema* found = nullptr;
  for (const Schema& other : kSchemas) {
    const bool same_side = other.place.substr(0, 3) == schema.place.substr(0, 3);
    if (other.knows(key) && (found == nullptr || same_side)) found = &other;
  }
  return found;
}

}  // namespace

std::string advice_for_unknown_key(std::string_view key, const Schema& schema) {
  if (const Schema* home = home_of(key, schema)) {
    return "it belongs in " + std::string(home->place);
  }
  const std::string_view near = nearest(key, schema.keys);
  if (near.empty()) return "known here: " + any_of(schema.keys);
  return "did you mean '" + std::string(near) + "'?";
}

}  // namespace runnel::config

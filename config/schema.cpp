#include "config/schema.h"

#include <algorithm>

#include "config/wording.h"

namespace runnel::config {

bool Schema::knows(std::string_view key) const noexcept {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string advice_for_unknown_key(std::string_view key, const Schema& schema) {
  for (const Schema& other : kSchemas) {
    if (other.knows(key)) return "it belongs in " + std::string(other.place);
  }
  const std::string_view near = nearest(key, schema.keys);
  if (near.empty()) return "known here: " + any_of(schema.keys);
  return "did you mean '" + std::string(near) + "'?";
}

}  // namespace runnel::config

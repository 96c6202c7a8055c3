// Two relays with one name.
#include <string_view>
#include <unordered_map>

#include "config/check_relays.h"
#include "config/wording.h"

namespace runnel::config {

void check_streams(const Config& config, ProblemList& problems) {
  std::unordered_map<std::string_view, const Origin*> first;
  for (const Relay& relay : config.relays) {
    const auto [known, is_new] = first.try_emplace(relay.stream, &relay.origin);
    if (is_new) continue;
    problems.error(relay.origin,
                   "a second stream named " + quote(relay.stream) + ", the first is in line " +
                       std::to_string(known->second->line),
                   "give each stream its own name; further receivers go into the first one's 'to'");
  }
}

}  // namespace runnel::config

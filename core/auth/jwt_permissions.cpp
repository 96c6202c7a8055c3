#include "core/auth/jwt_permissions.h"

#include <nlohmann/json.hpp>

namespace runnel::auth {
namespace {

using nlohmann::json;

bool add_pattern(const json& pattern, std::vector<std::string>& streams) {
  if (!pattern.is_string()) return false;
  streams.push_back(pattern.get<std::string>());
  return is_stream_pattern(streams.back());
}

/// A list of patterns, one pattern, or a boolean that stands for all streams or none.
bool read_streams(const json& value, std::vector<std::string>& streams) {
  if (value.is_boolean()) {
    if (value.get<bool>()) streams.emplace_back("*");
    return true;
  }
  if (!value.is_array()) return add_pattern(value, streams);
  for (const json& pattern : value) {
    if (!add_pattern(pattern, streams)) return false;
  }
  return true;
}

}  // namespace

bool read_jwt_permissions(const json& claims, Permissions& permissions) {
  const auto claim = claims.find("runnel");
  if (claim == claims.end()) return true;
  if (!claim->is_object()) return false;
  for (const Action action : kActions) {
    const auto value = claim->find(to_string(action));
    if (value == claim->end()) continue;
    Grant grant{ActionSet(action), {}};
    if (!read_streams(*value, grant.streams)) return false;
    if (!grant.streams.empty()) permissions.grants.push_back(std::move(grant));
  }
  const auto take_over = claim->find("take_over");
  if (take_over == claim->end()) return true;
  if (!take_over->is_boolean()) return false;
  permissions.take_over = take_over->get<bool>();
  return true;
}

}  // namespace runnel::auth

#include "config/yaml_reader.h"

#include <algorithm>

#include "config/quantities.h"
#include "core/base/check.h"

namespace runnel::config {

using yaml::NodeKind;

namespace {

std::string_view describe(NodeKind kind) noexcept {
  switch (kind) {
    case NodeKind::null:
      return "nothing";
    case NodeKind::scalar:
      return "a single value";
    case NodeKind::sequence:
      return "a list";
    case NodeKind::mapping:
      return "a mapping";
  }
  return "";
}

std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

}  // namespace

void Value::error(std::string text, std::string remedy) const {
  problems_->error(origin(), std::move(text), std::move(remedy));
}

void Value::warn(std::string text, std::string remedy) const {
  problems_->warn(origin(), std::move(text), std::move(remedy));
}

void Value::refuse_kind(const std::string& wanted) const {
  error("is " + std::string(describe(node_->kind)), "write " + wanted);
}

std::optional<std::string_view> Value::text() const {
  if (node_->kind == NodeKind::scalar && !node_->text.empty()) return node_->text;
  if (node_->kind == NodeKind::scalar || is_null()) {
    error("has no value", "write one, or remove the key to use its default");
  } else {
    refuse_kind("a single value");
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Value::integer(Bounds<std::uint64_t> bounds) const {
  const auto word = text();
  if (!word) return std::nullopt;
  const auto number = parse_integer(*word);
  if (number && *number >= bounds.lowest && *number <= bounds.highest) return number;
  error(quote(*word) + (number ? " is out of bounds" : " is no whole number"),
        "use " + std::to_string(bounds.lowest) + " to " + std::to_string(bounds.highest));
  return std::nullopt;
}

std::optional<bool> Value::boolean() const {
  const auto word = text();
  if (!word) return std::nullopt;
  const auto flag = parse_boolean(*word);
  if (!flag) error(quote(*word) + " is neither true nor false", "use true or false");
  return flag;
}

std::optional<std::chrono::milliseconds> Value::duration(
    Bounds<std::chrono::milliseconds> bounds) const {
  const auto word = text();
  if (!word) return std::nullopt;
  const auto duration = parse_duration(*word);
  if (duration && *duration >= bounds.lowest && *duration <= bounds.highest) return duration;
  error(quote(*word) + (duration ? " is out of bounds" : " is no duration with a unit"),
        "use " + format_duration(bounds.lowest) + " to " + format_duration(bounds.highest) +
            ", such as \"500ms\", \"30s\" or \"1m\"");
  return std::nullopt;
}

std::optional<std::size_t> Value::byte_size(Bounds<std::size_t> bounds) const {
  const auto word = text();
  if (!word) return std::nullopt;
  const auto size = parse_byte_size(*word);
  if (size && *size >= bounds.lowest && *size <= bounds.highest) return size;
  error(quote(*word) + (size ? " is out of bounds" : " is no size in bytes"),
        "use " + format_byte_size(bounds.lowest) + " to " + format_byte_size(bounds.highest) +
            ", such as \"512KiB\" or \"4MiB\"");
  return std::nullopt;
}

std::optional<std::uint64_t> Value::bitrate(Bounds<std::uint64_t> bounds) const {
  const auto word = text();
  if (!word) return std::nullopt;
  const auto rate = parse_bitrate(*word);
  if (rate && *rate >= bounds.lowest && *rate <= bounds.highest) return rate;
  error(quote(*word) + (rate ? " is out of bounds" : " is no bit rate"),
        "use " + format_bitrate(bounds.lowest) + " to " + format_bitrate(bounds.highest) +
            ", such as \"800kbit/s\" or \"8Mbit/s\"");
  return std::nullopt;
}

std::vector<Value> Value::items() const {
  std::vector<Value> result;
  if (node_->kind == NodeKind::sequence) {
    result.reserve(node_->items.size());
    for (std::size_t i = 0; i < node_->items.size(); ++i) {
      const yaml::Node& item = *node_->items[i];
      result.emplace_back(item, item.line, key_ + "[" + std::to_string(i) + "]", *problems_);
    }
  } else if (!is_null()) {
    result.push_back(*this);
  }
  return result;
}

std::optional<Mapping> Value::mapping(const Schema& schema) const {
  if (node_->kind != NodeKind::mapping && !is_null()) {
    refuse_kind("KEY: VALUE below it; known keys: " + any_of(schema.keys));
    return std::nullopt;
  }
  for (const yaml::Entry& entry : node_->entries) {
    if (schema.knows(entry.key)) continue;
    problems_->error({problems_->file(), entry.line, key_}, "unknown key " + quote(entry.key),
                     advice_for_unknown_key(entry.key, schema));
  }
  return Mapping(*this, schema);
}

std::optional<Value> Mapping::find(std::string_view key) const {
  RUNNEL_CHECK(schema_->knows(key));
  const auto& entries = value_.node_->entries;
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const yaml::Entry& known) { return known.key == key; });
  if (entry == entries.end()) return std::nullopt;
  return Value(*entry->value, entry->line, join(value_.key_, key), *value_.problems_);
}

std::optional<Value> Mapping::require(std::string_view key, const std::string& remedy) const {
  auto found = find(key);
  if (!found) value_.error("'" + std::string(key) + "' is missing", remedy);
  return found;
}

Origin Mapping::origin_of(std::string_view key) const {
  if (const auto found = find(key)) return found->origin();
  Origin origin = value_.origin();
  origin.key = join(origin.key, key);
  return origin;
}

}  // namespace runnel::config

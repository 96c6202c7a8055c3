// A typed look at a YAML node: it remembers file, line and key, and turns what does not fit into
// problems that say what to write instead.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/problem_list.h"
#include "config/schema.h"
#include "config/wording.h"
#include "config/yaml_document.h"

namespace runnel::config {

class Mapping;

/// Lowest and highest value allowed.
template <typename T>
struct Bounds {
  T lowest;
  T highest;
};

/// A name in the file and what it stands for.
template <typename T>
using Choice = std::pair<std::string_view, T>;

/// One value of the file. Borrows the document and the problem list. Every reading function answers
/// nullopt after it has reported why.
class Value {
 public:
  /// `key` is the whole path: "relays[0].to[1]".
  Value(const yaml::Node& node, int line, std::string key, ProblemList& problems)
      : node_(&node), line_(line), key_(std::move(key)), problems_(&problems) {}

  [[nodiscard]] Origin origin() const { return {problems_->file(), line_, key_}; }
  void error(std::string text, std::string remedy) const;
  void warn(std::string text, std::string remedy) const;
  [[nodiscard]] bool is_null() const noexcept { return node_->kind == yaml::NodeKind::null; }

  /// A scalar that is not empty.
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<std::uint64_t> integer(Bounds<std::uint64_t> bounds) const;
  [[nodiscard]] std::optional<bool> boolean() const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> duration(
      Bounds<std::chrono::milliseconds> bounds) const;
  [[nodiscard]] std::optional<std::size_t> byte_size(Bounds<std::size_t> bounds) const;
  /// Bits per second.
  [[nodiscard]] std::optional<std::uint64_t> bitrate(Bounds<std::uint64_t> bounds) const;

  /// One of the names in `choices`; `what` is "a suite", "a level".
  template <typename T, std::size_t N>
  [[nodiscard]] std::optional<T> choice(const Choice<T> (&choices)[N]) const {
    const auto word = text();
    if (!word) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : choices) {
      if (name == *word) return meaning;
      names.push_back(name);
    }
    error(quote(*word) + " is not known here", suggestion(*word, names));
    return std::nullopt;
  }

  /// The items of a list; a single value stands for a list of one, nothing for an empty list.
  [[nodiscard]] std::vector<Value> items() const;
  /// The keys below, after unknown ones have been reported; an empty value has none.
  [[nodiscard]] std::optional<Mapping> mapping(const Schema& schema) const;

 private:
  friend class Mapping;
  void refuse_kind(const std::string& wanted) const;

  const yaml::Node* node_;
  int line_;
  std::string key_;
  ProblemList* problems_;
};

/// The keys of one mapping. Asking for a key that the schema lacks is a bug and aborts, so that the
/// schema cannot fall behind the loader.
class Mapping {
 public:
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// Reports a missing key; `remedy` says what to add.
  [[nodiscard]] std::optional<Value> require(std::string_view key, const std::string& remedy) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key).has_value(); }
  /// Where `key` stands, or would stand.
  [[nodiscard]] Origin origin_of(std::string_view key) const;

  /// Assigns to `target` what `read` makes of the value of `key`, when both are there.
  template <typename T, typename Read>
  void read_into(T& target, std::string_view key, Read read) const {
    if (const auto found = find(key)) {
      if (auto result = read(*found)) target = std::move(*result);
    }
  }

 private:
  friend class Value;
  Mapping(Value value, const Schema& schema) : value_(std::move(value)), schema_(&schema) {}

  Value value_;
  const Schema* schema_;
};

}  // namespace runnel::config

// A typed look at one value of a request: it remembers its path, and turns what does not fit into
// an error that says what is expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/signalling/error.h"
#include "core/signalling/json_document.h"

namespace runnel::signalling {

/// Lowest and highest value allowed.
template <typename T>
struct Bounds {
  T lowest;
  T highest;
};

/// `"TEXT"` for an error; what might be a key in the wrong place is described by its length.
[[nodiscard]] std::string quote(std::string_view text);

/// Borrows the node and the place of the error. Every reading function answers nullopt after it has
/// refused; of several refusals the first one is kept.
class Field {
 public:
  /// `path` as in "tracks[1].codec"; empty for the whole request.
  Field(const json::Node& node, std::string path, std::optional<Error>& error)
      : node_(&node), path_(std::move(path)), error_(&error) {}

  /// `why` goes on after the path: "is missing".
  void refuse(ErrorCode code, std::string_view why) const;
  void refuse(std::string_view why) const { refuse(ErrorCode::bad_request, why); }

  /// `length` in bytes.
  [[nodiscard]] std::optional<std::string_view> text(Bounds<std::size_t> length) const;
  [[nodiscard]] std::optional<std::uint64_t> integer(Bounds<std::uint64_t> bounds) const;
  [[nodiscard]] std::optional<double> real(Bounds<double> bounds) const;
  [[nodiscard]] std::optional<bool> boolean() const;
  /// A whole number of milliseconds.
  [[nodiscard]] std::optional<std::chrono::milliseconds> milliseconds(
      Bounds<std::uint64_t> bounds) const;
  /// The items of an array; none after a refusal.
  [[nodiscard]] std::vector<Field> items(Bounds<std::size_t> count) const;

  /// The members of an object, by name. Refuses what is no object.
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] std::optional<Field> find(std::string_view name) const;
  /// Refuses when it is not there; `expected` is "a text", "an object".
  [[nodiscard]] std::optional<Field> require(std::string_view name,
                                             std::string_view expected) const;
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// Assigns to `target` what `read` makes of the member `name`, when both are there.
  template <typename T, typename Read>
  void read_into(T& target, std::string_view name, Read read) const {
    const auto found = find(name);
    if (!found) return;
    if (auto result = std::invoke(read, *found)) target = std::move(*result);
  }

 private:
  [[nodiscard]] bool has_kind(json::Kind kind, std::string_view expected) const;

  const json::Node* node_;
  std::string path_;
  std::optional<Error>* error_;
};

}  // namespace runnel::signalling

// Reads attributes by their type, with errors that name the line.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "core/sdp/description.h"
#include "core/sdp/error.h"

namespace runnel::sdp {

/// T: one of media_attributes.h or transport_attributes.h, for which the line must stand.
template <typename T>
[[nodiscard]] std::expected<T, Error> read(const Line& line) {
  if (auto parsed = T::parse(line.attribute_value())) return *std::move(parsed);
  return std::unexpected(Error{line.number, "a=" + std::string(T::kName) + " must be \"" +
                                                std::string(T::kForm) + "\", and is " +
                                                quote(line.attribute_value()) + "."});
}

/// All of a section, in their order.
template <typename T>
[[nodiscard]] std::expected<std::vector<T>, Error> read_all(const Section& section) {
  std::vector<T> found;
  for (const Line& line : section.lines) {
    if (!line.is_attribute() || line.attribute_name() != T::kName) continue;
    auto parsed = read<T>(line);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    found.push_back(*std::move(parsed));
  }
  return found;
}

}  // namespace runnel::sdp

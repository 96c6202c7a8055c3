// What is wrong with a session description, and where.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace runnel::sdp {

struct Error {
  std::size_t line = 0;  // counted from 1; 0: the description as a whole
  std::string message;   // a sentence, in printable ASCII

  /// "line 12: a=mid is missing."
  [[nodiscard]] std::string to_string() const;
};

/// The text in quotation marks for an Error: at most 60 characters of it, and '?' for all that is
/// not printable ASCII.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace runnel::sdp

// A JSON text as a tree: bounded in every direction, and wiped when it dies, as it may hold keys.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::signalling::json {

inline constexpr std::size_t kMaxValues = 4096;  // of one text
inline constexpr std::size_t kMaxMembers = 64;   // of one object

enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };

struct Member;

/// One value. Only what its kind says is set.
struct Node {
  Node();
  Node(Node&&) noexcept;
  Node& operator=(Node&&) noexcept;
  ~Node();

  Kind kind = Kind::null;
  bool boolean = false;
  std::uint64_t integer = 0;
  double real = 0;  // negative numbers, and those with a fraction or an exponent
  std::string text;
  std::vector<Node> items;
  std::vector<Member> members;
};
struct Member {
  std::string name;
  Node value;
};

/// Parses a text whose outermost value is an object. The error is a sentence that says what is
/// wrong and where, and quotes nothing of the text. At most `kMaxDepth` (codec.h) objects and
/// arrays stand inside of one another; what lies deeper is not looked at. Never throws.
[[nodiscard]] std::expected<Node, std::string> parse_object(std::string_view text);

}  // namespace runnel::signalling::json

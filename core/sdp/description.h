// A session description (RFC 8866) as its lines, none of which gets lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sdp/error.h"

namespace runnel::sdp {

/// Everything that has a bound in what others write.
struct Limits {
  std::size_t size = 256 * 1024;    // bytes in all
  std::size_t lines = 16'384;       // in all
  std::size_t line_length = 8'192;  // bytes, without the end of the line
  std::size_t attributes = 1'024;   // of one section
  std::size_t media_sections = 64;  // m-lines
  std::size_t formats = 256;        // of one m-line
};

/// "a=mid:0" is {'a', "mid:0"}.
struct Line {
  char type = 'a';
  std::string value;
  std::size_t number = 0;  // in the text that it comes from, counted from 1; 0: made here

  [[nodiscard]] bool is_attribute() const noexcept { return type == 'a'; }
  /// Of an attribute: "mid", and "0" (empty without a colon).
  [[nodiscard]] std::string_view attribute_name() const noexcept;
  [[nodiscard]] std::string_view attribute_value() const noexcept;

  friend bool operator==(const Line& a, const Line& b) noexcept {
    return a.type == b.type && a.value == b.value;
  }
};

/// Lines in their order: those before the first m-line, or those after one. Pointers and views are
/// valid until the section changes.
struct Section {
  std::vector<Line> lines;

  /// The first attribute of that name; nullptr: none.
  [[nodiscard]] const Line* find(std::string_view name) const noexcept;
  [[nodiscard]] bool has(std::string_view name) const noexcept { return find(name) != nullptr; }
  /// Its value; nullopt: no such attribute.
  [[nodiscard]] std::optional<std::string_view> value(std::string_view name) const noexcept;
  [[nodiscard]] std::vector<const Line*> all(std::string_view name) const;

  void add(char type, std::string value);
  void add_flag(std::string_view name);
  void add_attribute(std::string_view name, std::string_view value);

  friend bool operator==(const Section&, const Section&) = default;
};

/// m=video 9 UDP/TLS/RTP/SAVPF 96 97, and what follows it.
struct MediaSection : Section {
  std::string media;
  std::uint16_t port = 9;
  std::optional<std::uint16_t> port_count;  // "9/2"
  std::string protocol;
  std::vector<std::string> formats;
  std::size_t number = 0;  // of the m-line, as Line::number

  friend bool operator==(const MediaSection& a, const MediaSection& b) noexcept {
    return static_cast<const Section&>(a) == static_cast<const Section&>(b) && a.media == b.media &&
           a.port == b.port && a.port_count == b.port_count && a.protocol == b.protocol &&
           a.formats == b.formats;
  }
};

struct Description {
  Section session;
  std::vector<MediaSection> media;

  friend bool operator==(const Description&, const Description&) = default;
};

/// Lines end with CRLF or LF; empty ones are allowed at the end. Wanted are UTF-8, v=0 first, and
/// o=, s= and t= before the first m-line. What a line means is asked of the readers of attributes.
[[nodiscard]] std::expected<Description, Error> parse(std::string_view text,
                                                      const Limits& limits = {});
/// The same without v=, o=, s= and t=: a fragment (RFC 8840 §9).
[[nodiscard]] std::expected<Description, Error> parse_fragment(std::string_view text,
                                                               const Limits& limits = {});

/// Each line with CRLF at its end.
[[nodiscard]] std::string write(const Description& description);

}  // namespace runnel::sdp

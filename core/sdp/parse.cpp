// The parser of session descriptions: text into lines, lines into sections.
#include <algorithm>
#include <utility>

#include "core/base/utf8.h"
#include "core/sdp/description.h"
#include "core/sdp/words.h"

namespace runnel::sdp {
namespace {

using Unexpected = std::unexpected<Error>;

Unexpected refuse(std::size_t line, std::string message) {
  return Unexpected(Error{line, std::move(message)});
}

std::string at_most(std::size_t limit, std::string_view what) {
  return "At most " + std::to_string(limit) + " " + std::string(what) + " are allowed.";
}

/// m=<media> <port>[/<number of ports>] <protocol> <format> ... (RFC 8866 §5.14)
std::expected<MediaSection, Error> parse_media_line(std::string_view value, std::size_t number,
                                                    const Limits& limits) {
  MediaSection section;
  section.number = number;
  std::string_view rest = value;
  section.media = take_word(rest);
  std::string_view ports = take_word(rest);
  const auto port = parse_number<std::uint16_t>(take_until(ports, '/'), 65'535);
  if (!ports.empty()) section.port_count = parse_number<std::uint16_t>(ports, 65'535);
  section.protocol = take_word(rest);
  for (std::string_view format; !(format = take_word(rest)).empty();) {
    if (section.formats.size() == limits.formats) {
      return refuse(number, at_most(limits.formats, "formats in one m-line"));
    }
    section.formats.emplace_back(format);
  }
  const bool holds_together = is_token(section.media) && port &&
                              (ports.empty() || section.port_count) && !section.protocol.empty() &&
                              !section.formats.empty();
  if (!holds_together) {
    return refuse(number, "The m-line must be \"m=MEDIA PORT PROTOCOL FORMAT ...\", and is " +
                              quote("m=" + std::string(value)) + ".");
  }
  section.port = *port;
  return section;
}

class Parser {
 public:
  Parser(std::string_view text, const Limits& limits) : rest_(text), limits_(limits) {}

  std::expected<Description, Error> parse() {
    while (!rest_.empty()) {
      if (number_ == limits_.lines) return refuse(0, at_most(limits_.lines, "lines"));
      ++number_;
      std::string_view line = take_until(rest_, '\n');
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (auto done = add(line); !done) return Unexpected(std::move(done.error()));
    }
    return std::move(description_);
  }

 private:
  std::expected<void, Error> add(std::string_view line) {
    if (line.empty()) {
      if (rest_.find_first_not_of("\r\n") == std::string_view::npos) return {};
      return refuse(number_, "An empty line can only stand at the end.");
    }
    if (line.size() > limits_.line_length) {
      return refuse(number_, at_most(limits_.line_length, "bytes in one line"));
    }
    if (line.size() < 2 || line[0] < 'a' || line[0] > 'z' || line[1] != '=') {
      return refuse(number_, "A line must be \"LETTER=VALUE\", and is " + quote(line) + ".");
    }
    if (line.find_first_of(std::string_view("\0\r", 2)) != std::string_view::npos) {
      return refuse(number_, "A line cannot hold a zero byte or a carriage return.");
    }
    if (line[0] == 'm') return add_media(line.substr(2));
    return add_line(line[0], line.substr(2));
  }

  std::expected<void, Error> add_media(std::string_view value) {
    if (description_.media.size() == limits_.media_sections) {
      return refuse(number_, at_most(limits_.media_sections, "m-lines"));
    }
    auto section = parse_media_line(value, number_, limits_);
    if (!section) return Unexpected(std::move(section.error()));
    description_.media.push_back(*std::move(section));
    attributes_ = 0;
    return {};
  }

  std::expected<void, Error> add_line(char type, std::string_view value) {
    if (type == 'a' && ++attributes_ > limits_.attributes) {
      return refuse(number_, at_most(limits_.attributes, "attributes in one section"));
    }
    Section& section =
        description_.media.empty() ? description_.session : description_.media.back();
    section.lines.push_back({type, std::string(value), number_});
    return {};
  }

  std::string_view rest_;
  Limits limits_;
  std::size_t number_ = 0;
  std::size_t attributes_ = 0;  // of the present section
  Description description_;
};

}  // namespace

std::expected<Description, Error> parse_fragment(std::string_view text, const Limits& limits) {
  if (text.size() > limits.size) {
    return refuse(0, "The description has " + std::to_string(text.size()) + " bytes; at most " +
                         std::to_string(limits.size) + " are allowed.");
  }
  if (!is_valid_utf8(text)) return refuse(0, "The description is not UTF-8.");
  return Parser(text, limits).parse();
}

std::expected<Description, Error> parse(std::string_view text, const Limits& limits) {
  auto description = parse_fragment(text, limits);
  if (!description) return description;
  const auto& lines = description->session.lines;
  if (lines.empty() || lines[0] != Line{'v', "0"}) return refuse(1, "The first line must be v=0.");
  for (const char type : {'o', 's', 't'}) {
    if (std::ranges::find(lines, type, &Line::type) == lines.end()) {
      return refuse(0, std::string("There is no ") + type + "= before the first m-line.");
    }
  }
  return description;
}

}  // namespace runnel::sdp

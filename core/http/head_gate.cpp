// Judges a request head byte by byte and line by line.
#include "core/http/head_gate.h"

#include <algorithm>

#include "core/http/characters.h"
#include "core/http/request_target.h"

namespace runnel::http {

std::size_t HeadGate::feed(ByteView bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !whole_ && !error_) take(static_cast<char>(bytes[taken++]));
  return taken;
}

void HeadGate::take(char c) {
  if (text_.size() == limits_.head_size) {
    const bool in_request_line = line_begin_ == 0;
    return in_request_line ? refuse(414, "the request line is too long")
                           : refuse(431, "the request head is too large");
  }
  text_ += c;
  if (after_carriage_return_) {
    if (c != '\n') return refuse(400, "a carriage return stands alone in the request head");
    after_carriage_return_ = false;
    return end_line();
  }
  if (c == '\r') {
    after_carriage_return_ = true;
  } else if (c == '\n') {
    refuse(400, "a line of the request head ends without a carriage return");
  } else if (is_forbidden_in_line(c)) {
    refuse(400, "the request head has a control character in it");
  }
}

void HeadGate::end_line() {
  const std::string_view line =
      std::string_view(text_).substr(line_begin_, text_.size() - line_begin_ - 2);
  if (line_begin_ == 0) {
    if (line.empty() && !empty_line_skipped_) {
      // Some old clients send one behind a body (RFC 9112 §2.2).
      empty_line_skipped_ = true;
      text_.clear();
      return;
    }
    check_request_line(line);
  } else if (line.empty()) {
    check_framing();
    whole_ = !error_;
  } else {
    check_field_line(line);
  }
  line_begin_ = text_.size();
}

void HeadGate::check_request_line(std::string_view line) {
  const std::size_t first_space = std::min(line.find(' '), line.size());
  const std::string_view method = line.substr(0, first_space);
  if (!is_token(method)) return refuse(400, "the request line begins with no valid method");
  const std::string_view rest = line.substr(std::min(line.size(), first_space + 1));
  const std::size_t second_space = rest.find(' ');
  const std::string_view target = rest.substr(0, second_space);
  if (target.empty()) return refuse(400, "the request line has no target");
  if (target.size() > limits_.target_length) return refuse(414, "the request target is too long");
  if (second_space == std::string_view::npos) {
    return refuse(505, "the request line names no HTTP version; HTTP/1.1 is spoken here");
  }
  check_version(rest.substr(second_space + 1));
  if (error_) return;
  if (const auto parsed = parse_request_target(method, target); !parsed) error_ = parsed.error();
}

void HeadGate::check_version(std::string_view version) {
  const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                          is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
  if (!is_version) return refuse(400, "the request line ends in no valid HTTP version");
  is_version_1_0_ = version == "HTTP/1.0";
  if (!is_version_1_0_ && version != "HTTP/1.1") {
    refuse(505, "this version of HTTP is not spoken here; use HTTP/1.1");
  }
}

void HeadGate::check_field_line(std::string_view line) {
  if (++field_count_ > limits_.header_count) {
    return refuse(431, "the request head has too many fields");
  }
  if (line.front() == ' ' || line.front() == '\t') {
    return refuse(400, "a line of the request head begins with white space (obsolete folding)");
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return refuse(400, "a line of the request head has no colon");
  }
  const std::string_view name = line.substr(0, colon);
  if (name.ends_with(' ') || name.ends_with('\t')) {
    return refuse(400, "white space stands before the colon of a field");
  }
  if (!is_token(name)) return refuse(400, "the name of a field is not valid");
  check_field(name, trimmed(line.substr(colon + 1)));
}

void HeadGate::check_field(std::string_view name, std::string_view value) {
  // As many digits as surely fit into 64 bits.
  constexpr std::size_t kMaxDigits = 19;
  if (equal_ignoring_case(name, "Host")) {
    if (++host_count_ > 1) return refuse(400, "there is more than one Host field");
    if (!is_host(value)) return refuse(400, "the Host field is not valid");
  } else if (equal_ignoring_case(name, "Content-Length")) {
    if (has_content_length_) return refuse(400, "there is more than one Content-Length field");
    has_content_length_ = true;
    if (value.empty() || !std::ranges::all_of(value, is_digit)) {
      return refuse(400, "the Content-Length field is not a number");
    }
    if (value.size() > kMaxDigits) return refuse(413, "the Content-Length is too large");
  } else if (equal_ignoring_case(name, "Transfer-Encoding")) {
    if (has_transfer_encoding_)
      return refuse(400, "there is more than one Transfer-Encoding field");
    has_transfer_encoding_ = true;
    if (!equal_ignoring_case(value, "chunked")) {
      return refuse(501, "the only transfer coding that is understood is chunked");
    }
  }
}

void HeadGate::check_framing() {
  if (host_count_ == 0 && !is_version_1_0_) return refuse(400, "there is no Host field");
  if (!has_transfer_encoding_) return;
  if (has_content_length_) {
    return refuse(400, "Content-Length and Transfer-Encoding exclude each other");
  }
  if (is_version_1_0_) refuse(400, "there is no Transfer-Encoding in HTTP/1.0");
}

}  // namespace runnel::http

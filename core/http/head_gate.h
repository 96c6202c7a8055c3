// The strict gate before the parser: collects one request head and refuses in it whatever two
// readers could understand in two ways (RFC 9112 §2.2, §5, §6.3, §11.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/http/request_parser.h"

namespace runnel::http {

/// Looks at each byte once and judges each line at its end, so that rubbish is refused without
/// waiting for the rest.
class HeadGate {
 public:
  explicit HeadGate(const RequestLimits& limits) noexcept : limits_(limits) {}

  /// Takes bytes up to the end of the head, and answers how many. Not after whole() or error().
  std::size_t feed(ByteView bytes);

  /// The head has come, empty line and all, and nothing is wrong with it.
  [[nodiscard]] bool whole() const noexcept { return whole_; }
  [[nodiscard]] const std::optional<RequestError>& error() const noexcept { return error_; }
  /// What has come so far.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  void take(char c);
  void end_line();
  void check_request_line(std::string_view line);
  void check_version(std::string_view version);
  void check_field_line(std::string_view line);
  void check_field(std::string_view name, std::string_view value);
  void check_framing();
  void refuse(std::uint16_t status, std::string_view text) { error_ = RequestError{status, text}; }

  RequestLimits limits_;
  std::string text_;
  std::size_t line_begin_ = 0;
  bool after_carriage_return_ = false;
  bool empty_line_skipped_ = false;
  bool whole_ = false;
  bool is_version_1_0_ = false;
  std::size_t field_count_ = 0;
  std::size_t host_count_ = 0;
  bool has_content_length_ = false;
  bool has_transfer_encoding_ = false;
  std::optional<RequestError> error_;
};

}  // namespace runnel::http

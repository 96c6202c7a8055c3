// Writes JSON into a string: commas, quoting and escapes; the caller opens and closes.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace runnel::signalling {

/// An empty `name` is for what stands in an array, or outermost. Texts must be valid UTF-8.
class JsonWriter {
 public:
  void begin_object(std::string_view name = {}) { open(name, '{'); }
  void end_object() { close('}'); }
  void begin_array(std::string_view name) { open(name, '['); }
  void end_array() { close(']'); }

  void text(std::string_view name, std::string_view value);
  void flag(std::string_view name, bool value);
  void number(std::string_view name, std::integral auto value) {
    write_number(name, std::to_string(value));
  }
  /// With as many digits as are needed to read the same value back; must be finite.
  void number(std::string_view name, double value);
  void null(std::string_view name);

  /// What has been written; the writer is empty afterwards.
  [[nodiscard]] std::string take() { return std::exchange(out_, {}); }

 private:
  void begin_value(std::string_view name);
  void write_number(std::string_view name, std::string_view digits);
  void write_quoted(std::string_view value);
  void open(std::string_view name, char bracket);
  void close(char bracket);

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace runnel::signalling

// The fields of a head, in the order in which they stand (RFC 9110 §5).
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::http {

/// Field names, tokens and hosts are compared so; ASCII only.
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;
/// RFC 9110 §5.6.2: what a method, a field name or a list item may consist of; never empty.
[[nodiscard]] bool is_token(std::string_view text) noexcept;

struct Field {
  std::string name;
  std::string value;

  friend bool operator==(const Field&, const Field&) = default;
};

/// Names are looked up without regard to case. Views into the list live until it changes.
class HeaderList {
 public:
  HeaderList() = default;
  HeaderList(std::initializer_list<Field> fields) : fields_(fields) {}

  void add(std::string name, std::string value) {
    fields_.push_back({std::move(name), std::move(value)});
  }

  [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }
  [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
  [[nodiscard]] auto end() const noexcept { return fields_.end(); }

  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  [[nodiscard]] bool contains(std::string_view name) const noexcept { return count(name) != 0; }
  /// The value of the first field of this name.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
  /// The values of all fields of this name, joined by ", " (RFC 9110 §5.3); empty when there is
  /// none.
  [[nodiscard]] std::string combined(std::string_view name) const;
  /// Whether the comma-separated list that the fields of this name form has `token` as an item,
  /// without regard to case: `has_token("Connection", "upgrade")`.
  [[nodiscard]] bool has_token(std::string_view name, std::string_view token) const noexcept;

  friend bool operator==(const HeaderList&, const HeaderList&) = default;

 private:
  std::vector<Field> fields_;
};

}  // namespace runnel::http

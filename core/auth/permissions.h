// What somebody may do, and with which streams.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::auth {

enum class Action : std::uint8_t {
  publish,
  subscribe,
  watch,  // see that streams come, stall and go, and their statistics
  admin,  // everything, with streams of others too
};
inline constexpr std::array kActions{Action::publish, Action::subscribe, Action::watch,
                                     Action::admin};

/// "publish", as in the YAML and in the claims of a JWT.
[[nodiscard]] std::string_view to_string(Action action) noexcept;

class ActionSet {
 public:
  constexpr ActionSet() noexcept = default;
  template <typename... Actions>
  constexpr explicit ActionSet(Actions... actions) noexcept {
    (add(actions), ...);
  }
  constexpr void add(Action action) noexcept {
    bits_ = static_cast<std::uint8_t>(bits_ | bit(action));
  }
  /// As written down: admin implies nothing here.
  [[nodiscard]] constexpr bool contains(Action action) const noexcept {
    return (bits_ & bit(action)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  friend constexpr bool operator==(ActionSet, ActionSet) noexcept = default;

 private:
  [[nodiscard]] static constexpr std::uint8_t bit(Action action) noexcept {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(action));
  }
  std::uint8_t bits_ = 0;
};

inline constexpr std::size_t kLongestPattern = 64;  // a stream's name is no longer

/// Letters, digits, '-', '_', '.' and '*', 1 to kLongestPattern of them.
[[nodiscard]] bool is_stream_pattern(std::string_view text) noexcept;
/// Whether `stream` is what `pattern` says, in which each '*' stands for any characters or none.
/// Takes at most pattern times stream steps.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view stream) noexcept;

/// Actions on the streams that any of the patterns matches.
struct Grant {
  ActionSet actions;
  std::vector<std::string> streams;
};

/// The sum of grants. A default-constructed one allows nothing.
struct Permissions {
  std::vector<Grant> grants;
  bool take_over = false;  // may push aside another publisher of a stream that it may publish

  /// Every action with every stream, taking over included.
  [[nodiscard]] static Permissions everything();

  /// Whether `action` is granted with `stream`; admin implies every action.
  [[nodiscard]] bool allows(Action action, std::string_view stream) const noexcept;
  /// Whether there is any pattern with which `action` is granted, so that a request that names no
  /// stream yet can be refused at once.
  [[nodiscard]] bool allows_anywhere(Action action) const noexcept;
  /// Whether another publisher of `stream` may be pushed aside: with `take_over` where publishing
  /// is granted, and where admin is.
  [[nodiscard]] bool may_take_over(std::string_view stream) const noexcept;
};

}  // namespace runnel::auth

#include "config/calendar.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace runnel::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Takes fields of fixed width from the front of a text. Once one does not fit, `failed` stays
/// true.
class Fields {
 public:
  explicit Fields(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool is_at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] char next() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }

  int number(std::size_t digits, int highest) noexcept {
    int value = 0;
    const std::string_view text = rest_.substr(0, digits);
    const bool fits = text.size() == digits && std::all_of(text.begin(), text.end(), is_digit);
    if (fits) std::from_chars(text.data(), text.data() + digits, value);
    if (!fits || value > highest) failed_ = true;
    rest_.remove_prefix(text.size());
    return value;
  }
  void one_of(std::string_view letters) noexcept {
    if (rest_.empty() || letters.find(rest_.front()) == std::string_view::npos) {
      failed_ = true;
    } else {
      rest_.remove_prefix(1);
    }
  }
  void skip_digits() noexcept {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (count == 0) failed_ = true;
    rest_.remove_prefix(count);
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

seconds read_date(Fields& fields) noexcept {
  const int year = fields.number(4, 9999);
  fields.one_of("-");
  const int month = fields.number(2, 12);
  fields.one_of("-");
  const int day = fields.number(2, 31);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) fields.fail();
  return fields.failed() ? seconds(0) : std::chrono::sys_days(date).time_since_epoch();
}

seconds read_time_of_day(Fields& fields) noexcept {
  const int hour = fields.number(2, 23);
  fields.one_of(":");
  const int minute = fields.number(2, 59);
  fields.one_of(":");
  const int second = fields.number(2, 60);  // 60 is a leap second
  if (fields.next() == '.') {
    fields.one_of(".");
    fields.skip_digits();
  }
  return hours(hour) + minutes(minute) + seconds(second);
}

seconds read_offset(Fields& fields) noexcept {
  const char sign = fields.next();
  fields.one_of("Zz+-");
  if (sign != '+' && sign != '-') return seconds(0);
  const int hour = fields.number(2, 23);
  fields.one_of(":");
  const int minute = fields.number(2, 59);
  const seconds offset = hours(hour) + minutes(minute);
  return sign == '+' ? offset : -offset;
}

std::string digits(unsigned value, std::size_t width) {
  std::string text = std::to_string(value);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return text;
}

}  // namespace

std::optional<auth::WallTime> parse_time(std::string_view text) noexcept {
  Fields fields(text);
  seconds time = read_date(fields);
  if (!fields.failed() && !fields.is_at_end()) {
    fields.one_of("Tt ");
    time += read_time_of_day(fields);
    time -= read_offset(fields);
  }
  if (fields.failed() || !fields.is_at_end()) return std::nullopt;
  return auth::WallTime(time);
}

std::string format_time(auth::WallTime time) {
  const auto days = std::chrono::floor<std::chrono::days>(time.time_since_epoch());
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss clock{time.time_since_epoch() - days};
  const auto two = [](auto count) { return digits(static_cast<unsigned>(count), 2); };
  return digits(static_cast<unsigned>(static_cast<int>(date.year())), 4) + "-" +
         two(static_cast<unsigned>(date.month())) + "-" + two(static_cast<unsigned>(date.day())) +
         "T" + two(clock.hours().count()) + ":" + two(clock.minutes().count()) + ":" +
         two(clock.seconds().count()) + "Z";
}

}  // namespace runnel::config

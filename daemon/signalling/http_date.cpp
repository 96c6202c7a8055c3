#include "daemon/signalling/http_date.h"

#include <array>
#include <chrono>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {

std::string http_date(std::int64_t time) {
  static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds point{std::chrono::seconds(time)};
  const auto midnight = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(point - midnight);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
      kDays[std::chrono::weekday(midnight).c_encoding()], static_cast<unsigned>(date.day()),
      kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
      clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace runnel::daemon

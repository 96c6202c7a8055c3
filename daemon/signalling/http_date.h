// The calendar as HTTP writes it.
#pragma once

#include <cstdint>
#include <string>

namespace runnel::daemon {

/// RFC 9110 §5.6.7, IMF-fixdate: "Sun, 06 Nov 1994 08:49:37 GMT". `time` in seconds since 1970 UTC.
[[nodiscard]] std::string http_date(std::int64_t time);

}  // namespace runnel::daemon

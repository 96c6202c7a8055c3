// Dates and times of day as people write them: "2027-01-31", "2027-01-31T18:00:00+01:00".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/auth/wall_time.h"

namespace runnel::config {

/// A date, which stands for its beginning in UTC, or a time by RFC 3339 §5.6, whose fraction of a
/// second is left out. nullopt for all else, a 30th of February included.
[[nodiscard]] std::optional<auth::WallTime> parse_time(std::string_view text) noexcept;

/// In UTC: "2027-01-31T17:00:00Z".
[[nodiscard]] std::string format_time(auth::WallTime time);

}  // namespace runnel::config

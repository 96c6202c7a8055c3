#include "core/relay/source_line.h"

#include <algorithm>

#include "core/base/serial_number.h"
#include "core/relay/media_clock.h"

namespace runnel::relay {
namespace {

// High enough that what lies half a circle of sequence numbers behind still has a position.
constexpr std::uint64_t kFirstPosition = 0x1'0000;

}  // namespace

LinePlace SourceLine::begin(Timestamp now, std::uint16_t sequence_number,
                            RtpTime timestamp) noexcept {
  unwrapper_.reset();
  after_jump_.reset();
  const std::uint64_t unwrapped = unwrapper_.unwrap(sequence_number);
  if (!begun_) {
    begun_ = true;
    position_offset_ = kFirstPosition - unwrapped;
    first_position_ = kFirstPosition - SequenceWindow::kSize + 1;
    window_.restart(kFirstPosition);
    newest_time_ = timestamp;
    newest_arrival_ = now;
    return {kFirstPosition, timestamp};
  }
  const std::uint64_t position = window_.highest() + 1;
  position_offset_ = position - unwrapped;
  first_position_ = position;
  window_.take(position);
  const std::uint32_t step = std::max(1U, ticks(now - newest_arrival_, clock_rate_));
  timestamp_offset_ = newest_time_.value + step - timestamp.value;
  remember_time(now, translate(timestamp));
  return {position, translate(timestamp)};
}

std::expected<LinePlace, DropReason> SourceLine::place(Timestamp now, std::uint16_t sequence_number,
                                                       RtpTime timestamp) noexcept {
  const std::uint64_t position = unwrapper_.peek(sequence_number) + position_offset_;
  if (window_.is_behind(position)) return std::unexpected(DropReason::too_old);
  if (position < first_position_) return std::unexpected(DropReason::superseded_source);
  if (window_.is_taken(position)) return std::unexpected(DropReason::replayed);
  unwrapper_.unwrap(sequence_number);
  window_.take(position);
  after_jump_.reset();
  const RtpTime line_time = translate(timestamp);
  remember_time(now, line_time);
  return LinePlace{position, line_time};
}

bool SourceLine::begins_anew(std::uint16_t sequence_number) noexcept {
  const bool in_a_row = after_jump_ == sequence_number;
  after_jump_ = static_cast<std::uint16_t>(sequence_number + 1);
  return in_a_row;
}

void SourceLine::remember_time(Timestamp now, RtpTime line_time) noexcept {
  // Pictures may be sent in another order than they are shown, so the newest arrival need not have
  // the newest timestamp.
  if (!serial_after(newest_time_.value, line_time.value)) newest_time_ = line_time;
  newest_arrival_ = now;
}

}  // namespace runnel::relay

#include "core/relay/transport_feedback_recorder.h"

#include <algorithm>

#include "core/rtp/transport_feedback.h"

namespace runnel::relay {

void TransportFeedbackRecorder::arrived(std::uint16_t number, Timestamp now) noexcept {
  if (end_ == 0) {
    begin(number, now);
    return;
  }
  const std::uint64_t position = line_.peek(number);
  if (position + kCapacity < end_) {
    const bool in_a_row = after_jump_ == number;
    after_jump_ = static_cast<std::uint16_t>(number + 1);
    if (in_a_row) begin(number, now);
    return;
  }
  after_jump_.reset();
  if (position >= end_) {
    line_.unwrap(number);
    advance_to(position);
  } else if (position < oldest_) {
    forget_arrivals(position, oldest_);
    oldest_ = position;
  }
  Timestamp& time = arrival(position);
  if (time != kNever) return;
  time = now;
  if (begin_ > position + kMaxRepeated) return;
  begin_ = std::min(begin_, position);
  if (!deadline_) deadline_ = now + kInterval;
  if (end_ - begin_ >= kCapacity / 2) deadline_ = std::min(*deadline_, now);
}

void TransportFeedbackRecorder::begin(std::uint16_t number, Timestamp now) noexcept {
  line_.reset();
  begin_ = oldest_ = line_.unwrap(number);
  end_ = begin_ + 1;
  arrival(begin_) = now;
  after_jump_.reset();
  deadline_ = now + kInterval;
}

void TransportFeedbackRecorder::advance_to(std::uint64_t position) noexcept {
  forget_arrivals(end_, position + 1);
  end_ = position + 1;
  oldest_ = std::max(oldest_, end_ - kCapacity);
  begin_ = std::max(begin_, oldest_);
}

void TransportFeedbackRecorder::forget_arrivals(std::uint64_t from, std::uint64_t to) noexcept {
  if (to - from >= kCapacity) {
    arrivals_.fill(kNever);
    return;
  }
  for (std::uint64_t position = from; position < to; ++position) arrival(position) = kNever;
}

std::size_t TransportFeedbackRecorder::write(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
                                             ByteSpan out) noexcept {
  if (begin_ == end_ || out.size() < rtp::TransportFeedbackWriter::kMinSize) return 0;
  std::uint64_t first_arrived = begin_;
  // The highest has arrived.
  while (arrival(first_arrived) == kNever) ++first_arrived;
  rtp::TransportFeedbackWriter writer(
      {.sender_ssrc = sender_ssrc,
       .media_ssrc = media_ssrc,
       .base_number = static_cast<std::uint16_t>(begin_),
       .feedback_number = static_cast<std::uint8_t>(feedback_count_),
       .first_arrival = arrival(first_arrived)},
      out);
  for (; begin_ != end_; ++begin_) {
    const Timestamp time = arrival(begin_);
    if (!writer.add(time == kNever ? std::nullopt : std::optional(time))) break;
  }
  if (begin_ == end_) deadline_.reset();
  ++feedback_count_;
  return writer.finish();
}

}  // namespace runnel::relay

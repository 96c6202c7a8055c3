// Keeps flights and their retransmissions.
#include "core/dtls/flight_queue.h"

#include <algorithm>
#include <new>
#include <utility>

namespace runnel::dtls {
namespace {

constexpr std::uint8_t kAlert = 21;
/// After more of them OpenSSL gives up on its own.
constexpr std::size_t kMaxRetransmissions = 12;

}  // namespace

FlightQueue::FlightQueue(const AssociationOptions& options) : options_(options) {
  options_.retransmissions = std::min(options_.retransmissions, kMaxRetransmissions);
}

bool FlightQueue::begin_flight() noexcept {
  settle();
  interval_ = options_.first_timeout;
  deadline_ = now_ + interval_;
  return options_.retransmissions > 0;
}

bool FlightQueue::begin_retransmission() noexcept {
  try {
    retransmissions_.emplace_back();
  } catch (const std::bad_alloc&) {
    return false;  // it goes out at once
  }
  is_retransmitting_ = true;
  return retransmissions_.size() < options_.retransmissions;
}

void FlightQueue::write(ByteView datagram) noexcept {
  // An alert is part of no flight.
  const bool is_alert = !datagram.empty() && datagram.front() == kAlert;
  try {
    if (is_retransmitting_ && !is_alert) {
      append(retransmissions_.back(), 0, datagram);
    } else {
      append(waiting_, turn_begins_, datagram);
    }
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
}

/// Records that are said together, in the datagrams from `first` on, share one while they fit.
void FlightQueue::append(Flight& flight, std::size_t first, ByteView records) {
  if (flight.size() > first && flight.back().size() + records.size() <= kMtu) {
    flight.back().insert(flight.back().end(), records.begin(), records.end());
  } else if (flight.size() < kMaxOutgoingDatagrams) {
    flight.emplace_back(records.begin(), records.end());
  } else {
    ++lost_;
  }
}

void FlightQueue::begin_turn(Timestamp now) noexcept {
  now_ = now;
  is_retransmitting_ = false;
  turn_begins_ = waiting_.size();
}

void FlightQueue::settle() noexcept {
  std::vector<Flight>().swap(retransmissions_);
  sent_again_ = 0;
  is_retransmitting_ = false;
  deadline_.reset();
}

FlightQueue::Timeout FlightQueue::handle_timeout(Timestamp now) noexcept {
  if (!deadline_ || now < *deadline_) return Timeout::not_yet;
  begin_turn(now);
  if (sent_again_ == retransmissions_.size()) {
    settle();
    return Timeout::gave_up;
  }
  for (Datagram& datagram : std::exchange(retransmissions_[sent_again_++], {})) write(datagram);
  interval_ = std::min(2 * interval_, options_.longest_timeout);
  deadline_ = now + interval_;
  return Timeout::sent_again;
}

std::optional<ByteView> FlightQueue::next() noexcept {
  if (taken_ == waiting_.size()) {
    Flight().swap(waiting_);
    taken_ = turn_begins_ = 0;
    return std::nullopt;
  }
  return waiting_[taken_++];
}

}  // namespace runnel::dtls

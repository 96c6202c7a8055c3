#include "core/session/waiting.h"

#include <algorithm>
#include <utility>

namespace runnel::session {

std::size_t offer_size(const signalling::Subscribe& wish) noexcept {
  const auto* webrtc = std::get_if<signalling::WebRtcOffer>(&wish.leg);
  return webrtc != nullptr && webrtc->offer ? webrtc->offer->size() : 0;
}

std::uint64_t add_waiting(DeskState& state, WaitingSubscription waiting) {
  const std::uint64_t number = ++state.last_waiting;
  waiting.number = number;
  state.sessions.at(waiting.session).waiting.insert(number);
  state.waiting_by_stream.emplace(waiting.wish.stream, number);
  state.waiting_offers += offer_size(waiting.wish);
  state.waiting.emplace(number, std::move(waiting));
  return number;
}

std::optional<WaitingSubscription> take_waiting(DeskState& state, std::uint64_t number) {
  auto entry = state.waiting.extract(number);
  if (entry.empty()) return std::nullopt;
  WaitingSubscription& waiting = entry.mapped();
  state.waiting_by_stream.erase({waiting.wish.stream, number});
  state.waiting_offers -= offer_size(waiting.wish);
  state.sessions.at(waiting.session).waiting.erase(number);
  state.deadlines.clear({Due::Kind::wait, number});
  return std::move(waiting);
}

std::vector<std::uint64_t> waiting_for(const DeskState& state, std::string_view stream) {
  std::vector<std::uint64_t> numbers;
  for (auto entry = state.waiting_by_stream.lower_bound({std::string(stream), 0});
       entry != state.waiting_by_stream.end() && entry->first == stream; ++entry) {
    numbers.push_back(entry->second);
  }
  return numbers;
}

}  // namespace runnel::session

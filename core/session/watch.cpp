// watch and stats: what a client wants to know about streams.
#include <algorithm>

#include "core/session/lifecycle.h"
#include "core/session/requests.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::chrono::milliseconds kShortestInterval{200};
constexpr std::chrono::milliseconds kLongestInterval{3'600'000};

/// The owner of a leg learns nothing of other subscribers, and no address of the publisher.
void keep_what_concerns(const LegRecord& leg, relay::RelayStatistics& statistics) {
  statistics.departed = {};
  if (leg.role == signalling::LegRole::publication) return statistics.to.clear();
  for (relay::SourceMediumStatistics& medium : statistics.from) medium.source.reset();
  std::erase_if(statistics.to, [&leg](const relay::ReceiverStatistics& receiver) {
    return leg.receiver != receiver.receiver;
  });
}

/// Of a stream to somebody who may watch it, of a leg to its owner.
Expected<signalling::StatsAnswer> statistics_of(DeskState& state, SessionNumber number,
                                                const std::string& stream_name,
                                                std::optional<signalling::LegNumber> leg) {
  const SessionRecord& session = state.sessions.at(number);
  const LegRecord* record = leg ? state.find_leg({number, *leg}) : nullptr;
  if (leg && record == nullptr) {
    return refuse(ErrorCode::unknown_leg, "this session has no leg " + std::to_string(*leg));
  }
  const std::string& name = record != nullptr ? record->stream : stream_name;
  if (record == nullptr && !session.identity.permissions.allows(auth::Action::watch, name)) {
    return refuse(ErrorCode::forbidden, "this token does not allow to watch '" + name + "'");
  }
  const StreamRecord* stream = state.find_stream(name);
  if (stream == nullptr) {
    return refuse(ErrorCode::unknown_stream, "there is no stream '" + name + "'");
  }
  signalling::StatsAnswer answer;
  answer.statistics = state.engine.statistics(stream->relay);
  answer.state = stream->state();
  answer.leg = leg;
  if (record == nullptr) return answer;
  keep_what_concerns(*record, answer.statistics);
  return answer;
}

void schedule(DeskState& state, SessionNumber number) {
  const auto& wishes = state.sessions.at(number).statistics;
  const Due due{Due::Kind::statistics, static_cast<std::uint64_t>(number)};
  if (wishes.empty()) return state.deadlines.clear(due);
  state.deadlines.set(due,
                      std::ranges::min_element(wishes, {}, &StatisticsSubscription::next)->next);
}

void forget(SessionRecord& session, const signalling::Stats& wish) {
  std::erase_if(session.statistics, [&wish](const StatisticsSubscription& entry) {
    return entry.leg == wish.leg && entry.stream == wish.stream;
  });
}

}  // namespace

Result handle(DeskState& state, const Call& call, const signalling::Watch& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  if (wish.stop) {
    std::erase(session.watches, wish.prefix);
    if (session.watches.empty()) state.watchers.erase(call.session);
    return signalling::Done{};
  }
  const auth::Permissions& permissions = session.identity.permissions;
  if (!permissions.allows_anywhere(auth::Action::watch)) {
    return refuse(ErrorCode::forbidden, "this token does not allow to watch");
  }
  if (!session.is_rest &&
      std::ranges::find(session.watches, wish.prefix) == session.watches.end()) {
    if (session.watches.size() >= state.settings.limits.watches_per_session) {
      return refuse(ErrorCode::limit_reached, "this session watches as many prefixes as it may");
    }
    session.watches.push_back(wish.prefix);
    state.watchers.insert(call.session);
  }
  signalling::WatchAnswer answer;
  for (auto stream = state.streams.lower_bound(wish.prefix);
       stream != state.streams.end() && stream->first.starts_with(wish.prefix); ++stream) {
    if (!permissions.allows(auth::Action::watch, stream->first)) continue;
    answer.streams.push_back(summary_of(stream->first, stream->second));
  }
  return answer;
}

Result handle(DeskState& state, const Call& call, const signalling::Stats& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  if (wish.interval && wish.interval->count() == 0) {
    forget(session, wish);
    schedule(state, call.session);
    return signalling::Done{};
  }
  auto answer = statistics_of(state, call.session, wish.stream, wish.leg);
  if (!answer) return std::unexpected(answer.error());
  if (wish.interval) {
    forget(session, wish);
    if (session.statistics.size() >= state.settings.limits.watches_per_session) {
      return refuse(ErrorCode::limit_reached, "this session gets as many statistics as it may");
    }
    const auto interval = std::clamp(*wish.interval, kShortestInterval, kLongestInterval);
    session.statistics.push_back({wish.stream, wish.leg, interval, call.moment.now + interval});
    schedule(state, call.session);
  }
  return std::move(*answer);
}

void send_statistics(DeskState& state, const Moment& moment, SessionNumber number) {
  SessionRecord& session = state.sessions.at(number);
  std::vector<StatisticsSubscription> going_on;
  for (StatisticsSubscription& entry : session.statistics) {
    if (entry.next <= moment.now) {
      auto answer = statistics_of(state, number, entry.stream, entry.leg);
      if (!answer) continue;  // it has ended, which an event has told
      tell(state, number, signalling::StatsEvent{std::move(*answer)}, TextClass::statistics);
      entry.next = moment.now + entry.interval;
    }
    going_on.push_back(std::move(entry));
  }
  session.statistics = std::move(going_on);
  schedule(state, number);
}

}  // namespace runnel::session

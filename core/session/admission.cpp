#include "core/session/admission.h"

#include <algorithm>
#include <array>

namespace runnel::session {
namespace {

using signalling::ErrorCode;

/// The calendar can be set, and may count further than any clock: how long it is trusted.
constexpr std::chrono::seconds kLongestTrust = std::chrono::hours(1);

/// A client's tokens may differ: one prolongs what another one has made only if it allows that, and
/// shortens nothing.
std::optional<auth::WallTime> expiry_of(const SessionRecord& session,
                                        const auth::Identity& renewed) {
  const std::optional<auth::WallTime>& before = session.identity.expiry;
  const bool allows_all = std::ranges::all_of(
      session.legs, [&](const auto& leg) { return allows(renewed, leg.second); });
  if (!allows_all || !before) return before;
  if (!renewed.expiry) return std::nullopt;
  return std::max(*before, *renewed.expiry);
}

std::chrono::milliseconds rounded_up(Duration duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration);
}

auth::WallTime wall_time(const Moment& moment) {
  return auth::WallTime(std::chrono::seconds(moment.unix_seconds()));
}

Expected<void> count(DeskState& state, const Moment& moment, const auth::LimitKey& key) {
  const auto wait = state.requests.take(key, moment.now);
  if (!wait) return {};
  return refuse(ErrorCode::rate_limited, "requests come too fast", rounded_up(*wait));
}

}  // namespace

Expected<auth::Identity> identify(DeskState& state, const Moment& moment, const IpAddress& address,
                                  std::string_view token) {
  auto identity = state.authenticator.authenticate(wall_time(moment), token);
  // Whoever has a right token is not shut out by others behind the same address.
  if (identity) return std::move(*identity);
  const std::string text(auth::client_text(identity.error()));
  // Who has no token guesses none.
  if (identity.error() == auth::AuthError::missing) return refuse(ErrorCode::not_authorized, text);
  const auth::LimitKey key = auth::LimitKey::of_address(address);
  if (const auto wait = state.failures.wait(key, moment.now)) {
    return refuse(ErrorCode::rate_limited, "too many tokens from your address were not accepted",
                  rounded_up(*wait));
  }
  state.failures.fail(key, moment.now);
  const bool was_last = state.failures.wait(key, moment.now).has_value();
  state.output.notices.push_back(
      {.what = was_last ? Notice::What::tokens_ignored : Notice::What::token_refused,
       .stream = {},
       .client = {},
       .address = address,
       .reason = auth::to_string(identity.error())});
  return refuse(ErrorCode::not_authorized, text);
}

Expected<void> count_request(DeskState& state, const Moment& moment, const IpAddress& address) {
  return count(state, moment, auth::LimitKey::of_address(address));
}

Expected<void> count_request(DeskState& state, const Moment& moment, std::uint64_t token) {
  if (token == 0) return {};
  return count(state, moment, auth::LimitKey::of_token(token));
}

Expected<auth::Identity> identify_caller(DeskState& state, const Moment& moment,
                                         const IpAddress& address, std::string_view token) {
  if (const auto counted = count_request(state, moment, address); !counted) {
    return std::unexpected(counted.error());
  }
  auto identity = identify(state, moment, address, token);
  if (!identity) return identity;
  if (const auto counted = count_request(state, moment, identity->key); !counted) {
    return std::unexpected(counted.error());
  }
  return identity;
}

Expected<SessionNumber> open_session(DeskState& state, const Moment& moment,
                                     auth::Identity identity, const IpAddress& address,
                                     std::string id) {
  using Admission = auth::ConnectionLimits::Admission;
  const auth::LimitKey counted_as = limit_key(identity, address);
  switch (state.open_sessions.admit(counted_as)) {
    case Admission::too_many:
      return refuse(ErrorCode::full, "the server has as many sessions as it may",
                    std::chrono::milliseconds(5'000));
    case Admission::too_many_of_this:
      return refuse(ErrorCode::limit_reached,
                    "there are as many sessions of this client as it may have "
                    "(limits.sessions_per_client)",
                    std::chrono::milliseconds(5'000));
    case Admission::admitted:
      break;
  }
  const SessionNumber number{++state.last_session};
  SessionRecord& session = state.sessions[number];
  session.id = std::move(id);
  session.address = address;
  session.counted_as = counted_as;
  if (!session.id.empty()) state.sessions_by_id.emplace(session.id, number);
  adopt_identity(state, moment, number, std::move(identity));
  return number;
}

void adopt_identity(DeskState& state, const Moment& moment, SessionNumber number,
                    auth::Identity identity) {
  const Due due{Due::Kind::expiry, static_cast<std::uint64_t>(number)};
  if (identity.expiry) {
    const std::chrono::seconds left = *identity.expiry - wall_time(moment);
    state.deadlines.set(due, moment.now + std::clamp(left, std::chrono::seconds(0), kLongestTrust));
  } else {
    state.deadlines.clear(due);
  }
  state.sessions.at(number).identity = std::move(identity);
}

void renew_identity(DeskState& state, const Moment& moment, SessionNumber number,
                    auth::Identity identity) {
  identity.expiry = expiry_of(state.sessions.at(number), identity);
  adopt_identity(state, moment, number, std::move(identity));
}

bool allows(const auth::Identity& identity, const LegRecord& leg) noexcept {
  const bool publishes = leg.role == signalling::LegRole::publication;
  return identity.permissions.allows(publishes ? auth::Action::publish : auth::Action::subscribe,
                                     leg.stream);
}

bool has_expired(DeskState& state, const Moment& moment, SessionNumber number) {
  const auth::Identity& identity = state.sessions.at(number).identity;
  if (identity.is_expired(wall_time(moment))) return true;
  adopt_identity(state, moment, number, auth::Identity(identity));
  return false;
}

std::string draw_session_id(RandomSource& random) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::uint8_t, 22> bytes;  // of 6 bits each
  random.fill(bytes);
  std::string id;
  for (const std::uint8_t byte : bytes) id.push_back(kDigits[byte % kDigits.size()]);
  return id;
}

}  // namespace runnel::session

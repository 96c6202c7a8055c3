// The other end of a check: a full, controlling agent, as browsers are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/drop_reason.h"
#include "core/ice/agent.h"
#include "core/stun/message_writer.h"

namespace runnel::ice {

using Bytes = std::vector<std::uint8_t>;

inline const Credentials kLocal{.ufrag = "srvU", .password = "srvpasswordsrvpassword12"};
inline const Credentials kRestarted{.ufrag = "newU", .password = "newpasswordnewpassword12"};

enum class Role : std::uint8_t { controlling, controlled, untold };

/// What a check says. Defaults are those of an honest agent that does not nominate.
struct Check {
  std::string local_ufrag = kLocal.ufrag;
  std::string remote_ufrag = "cliU";
  std::string password = kLocal.password;
  bool nominate = false;
  Role role = Role::controlling;
  std::vector<stun::AttributeType> additional{};
};

inline Check nominating() {
  return {.nominate = true};
}
inline Check under(const Credentials& credentials, bool nominate = false) {
  return {.local_ufrag = credentials.ufrag, .password = credentials.password, .nominate = nominate};
}

inline Bytes write(const Check& check) {
  Bytes buffer(stun::kMaxMessageSize);
  stun::MessageWriter writer(buffer, stun::MessageClass::request, stun::kBinding, {1, 2, 3});
  writer.username(check.local_ufrag, check.remote_ufrag);
  writer.priority(0x6e7f1eff);
  if (check.role == Role::controlling) writer.ice_controlling(7);
  if (check.role == Role::controlled) writer.ice_controlled(7);
  if (check.nominate) writer.use_candidate();
  for (const stun::AttributeType type : check.additional) writer.attribute(type, {});
  writer.message_integrity(stun::integrity_key(check.password));
  writer.fingerprint();
  const ByteView message = writer.finish().value();
  return {message.begin(), message.end()};
}

/// Of 192.0.2.1 and the like.
inline Path path_of(std::uint16_t port, const char* ip = "192.0.2.1") {
  return {.port = PortIndex{0}, .remote = {*IpAddress::parse(ip), port}};
}

/// An outcome that owns its answer.
struct Answered {
  CheckOutcome outcome;
  Bytes response;

  [[nodiscard]] stun::MessageView view() const { return *stun::MessageView::parse(response); }
  /// nullopt: success.
  [[nodiscard]] std::optional<stun::ErrorCode> error() const {
    if (view().is_binding(stun::MessageClass::success_response)) return std::nullopt;
    return view().error()->code;
  }
};

inline std::expected<Answered, DropReason> deliver(Agent& agent, Timestamp now, const Path& path,
                                                   ByteView datagram) {
  const auto request = stun::MessageView::parse(datagram);
  if (!request) return std::unexpected(DropReason::malformed);
  std::array<std::uint8_t, kMaxResponseSize> room;
  auto outcome = agent.handle_request(now, path, *request, room);
  if (!outcome) return std::unexpected(outcome.error());
  Bytes response(outcome->response.begin(), outcome->response.end());
  return Answered{std::move(*outcome), std::move(response)};
}

/// A check that must be answered.
inline Answered check(Agent& agent, Timestamp now, const Path& path, const Check& what = {}) {
  auto answered = deliver(agent, now, path, write(what));
  EXPECT_TRUE(answered.has_value());
  return std::move(answered).value();
}

inline std::optional<DropReason> refusal_of(Agent& agent, const Path& path, const Check& what) {
  const auto answered = deliver(agent, {}, path, write(what));
  if (answered) return std::nullopt;
  return answered.error();
}

}  // namespace runnel::ice

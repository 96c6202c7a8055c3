// A stream as the desk knows it: who publishes it, who receives it, and whether it flows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/relay/relay_description.h"
#include "core/session/session_record.h"
#include "core/signalling/answer.h"

namespace runnel::session {

enum class StreamNumber : std::uint64_t {};

struct StreamTrack {
  std::string name;
  rtp::Codec codec;
  std::uint8_t payload_type = 96;
  signalling::StreamState state = signalling::StreamState::waiting;
};

struct StreamRecord {
  StreamNumber number{};
  std::size_t relay = 0;
  bool is_configured = false;  // by the YAML, which has its source too
  std::vector<StreamTrack> tracks;
  std::optional<LegKey> publication;
  std::vector<LegKey> subscriptions;

  /// Whether somebody publishes it, be it that nothing flows at the moment.
  [[nodiscard]] bool has_publisher() const noexcept { return is_configured || publication; }
  /// The best of its tracks' states.
  [[nodiscard]] signalling::StreamState state() const noexcept;
};

/// A subscribe that waits for its stream to be published.
struct WaitingSubscription {
  std::uint64_t number = 0;
  SessionNumber session{};
  std::optional<signalling::RequestId> request;  // to be answered; nullopt: nobody has asked aloud
  signalling::Subscribe wish;
};

}  // namespace runnel::session

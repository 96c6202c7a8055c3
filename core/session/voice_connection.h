// A voice connection at the desk: its dialect, and the two legs that it stands for.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "core/auth/rate_limiter.h"
#include "core/session/session_record.h"
#include "core/voice/session.h"

namespace runnel::session {

/// The caller publishes `stream` and hears `stream`-reply, the agent the other way around.
struct VoiceConnection {
  voice::Session dialect;
  std::string stream;  // without "-reply"
  std::string heard;
  std::string published;
  std::uint32_t ssrc = 0;
  std::optional<LegKey> publication;   // from its first packet on
  std::optional<LegKey> subscription;  // while somebody is heard
  std::uint8_t heard_payload_type = 0;
  std::deque<voice::Packet> packets;  // that the intake has had no room for
  auth::RateBucket peer_events;       // that it has sent to the other side
};

}  // namespace runnel::session

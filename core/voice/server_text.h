// The texts that a voice client is sent, as Twilio Media Streams writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel::voice {

/// What the texts towards an agent have in common, as those of a telephone call.
struct CallIdentity {
  std::string stream_sid;
  std::string call_sid;
  std::string account_sid;
};

// To an agent, as Twilio speaks to a voice program. All numbers are texts there.
[[nodiscard]] std::string connected_text();
[[nodiscard]] std::string start_text(const CallIdentity& call, std::uint64_t sequence_number,
                                     std::string_view stream);
struct HeardMedia {
  std::uint64_t chunk = 0;
  std::uint64_t timestamp_ms = 0;
  ByteView audio;
};
[[nodiscard]] std::string media_text(const CallIdentity& call, std::uint64_t sequence_number,
                                     const HeardMedia& media);
[[nodiscard]] std::string dtmf_text(const CallIdentity& call, std::uint64_t sequence_number,
                                    std::string_view digit);
[[nodiscard]] std::string mark_text(const CallIdentity& call, std::uint64_t sequence_number,
                                    std::string_view name);
[[nodiscard]] std::string stop_text(const CallIdentity& call, std::uint64_t sequence_number);

// To a caller, as a voice program speaks to Twilio.
[[nodiscard]] std::string reply_media_text(std::string_view stream_sid, ByteView audio);
[[nodiscard]] std::string reply_mark_text(std::string_view stream_sid, std::string_view name);
[[nodiscard]] std::string reply_clear_text(std::string_view stream_sid);

}  // namespace runnel::voice

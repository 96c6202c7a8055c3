#include "core/session/result.h"

namespace runnel::session {

signalling::Error from_engine(relay::RelayError error) {
  using enum relay::RelayError;
  using signalling::ErrorCode;
  constexpr std::chrono::milliseconds kWhenFull{5'000};
  const std::string reason(relay::to_string(error));
  switch (error) {
    case too_many_relays:
    case too_many_receivers:
      return {ErrorCode::full, "the server is full: " + reason, kWhenFull};
    case duplicate_stream:
      return {ErrorCode::stream_busy, "the stream is taken: " + reason, std::nullopt};
    case ssrc_in_use_on_port:
      return {ErrorCode::ssrc_in_use, "choose another SSRC: " + reason, std::nullopt};
    case path_in_use:
      return {ErrorCode::address_in_use, "another leg is there already: " + reason, std::nullopt};
    case other_media:
      return {ErrorCode::other_tracks, "the tracks are not those of the stream: " + reason,
              std::nullopt};
    case too_many_media:
    case port_in_use:
    case ssrc_in_use_with_key:
    case unknown_source_medium:
    case no_media:
    case duplicate_payload_type:
    case unknown_peer:
    case duplicate_mid:
      break;
  }
  return {ErrorCode::bad_request, "the leg cannot be made: " + reason, std::nullopt};
}

}  // namespace runnel::session

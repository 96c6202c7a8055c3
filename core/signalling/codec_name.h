// The codec of a track, as a request names it: rtpmap form, kind, static payload types.
#pragma once

#include <optional>

#include "core/rtp/codec.h"
#include "core/signalling/field.h"

namespace runnel::signalling {

struct NamedCodec {
  rtp::Codec codec;
  /// nullopt: not given, and the codec has no static one (RFC 3551).
  std::optional<std::uint8_t> payload_type;
};

/// Of a track's `codec`, `kind`, `fmtp` and `payload_type`. What is left out is concluded: the
/// codec from a static payload type, the kind from a well-known codec. Refuses what contradicts
/// itself.
[[nodiscard]] std::optional<NamedCodec> read_codec(const Field& track);

/// "audio" or "video".
[[nodiscard]] std::optional<rtp::MediaKind> read_kind(const Field& field);

}  // namespace runnel::signalling

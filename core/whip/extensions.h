// The extensions of WHEP: which encoding a viewer gets, and event streams (draft-ietf-wish-whep-03
// §4.9 and §4.10, since then a draft of their own).
#pragma once

#include "core/http/response.h"
#include "core/whip/call.h"
#include "core/whip/event_streams.h"

namespace runnel::whip {

/// POST: {"rid": "h"} (or "encodingId", as it was called before) or {"maxHeight": 360}; {} leaves
/// the choice to the server again. `mediaId` is taken and means nothing, as there is one video.
/// What stands for layers within an encoding is refused with 422. 200.
[[nodiscard]] http::Response choose_layer(const Call& call);

/// POST: an array of the names of events (EventKind) that are wanted, or nothing for all. 201;
/// Location is what to read.
[[nodiscard]] http::Response create_event_stream(const Call& call, EventStreams& events);
/// DELETE: 200.
[[nodiscard]] http::Response end_event_stream(const Call& call, EventStreams& events);
/// The name in the path; nullopt: it is none.
[[nodiscard]] std::optional<EventStreams::Name> name_of_event_stream(const Call& call);

}  // namespace runnel::whip

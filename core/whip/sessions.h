// The sessions of WHIP and WHEP (RFC 9725 §4.2 to §4.3): made by an offer, changed by PATCH, ended.
#pragma once

#include "core/http/response.h"
#include "core/whip/call.h"

namespace runnel::whip {

/// POST to /whip/{stream} or /whep/{stream}: 201 with the answer, or with our offer where the body
/// is empty (of WHEP alone). `?take_over=true` (or 1) takes a stream from its publisher,
/// `?max_height=360` and `?rid=l` choose the encoding that a viewer begins with.
[[nodiscard]] http::Response create_session(const Call& call);
/// GET: 204 with the entity tag, since a session has no representation.
[[nodiscard]] http::Response show_session(const Call& call);
/// PATCH by its type: a fragment with candidates, which a lite agent does not need (204), or with
/// other credentials, which is an ICE restart (200); of WHEP an answer to our offer (204).
[[nodiscard]] http::Response patch_session(const Call& call);
/// DELETE: 200. An If-Match is ignored, as it has to be.
[[nodiscard]] http::Response end_session(const Call& call);

/// "/whep/camera-1/ID"
[[nodiscard]] std::string path_of_session(const Call& call, std::string_view id);

}  // namespace runnel::whip

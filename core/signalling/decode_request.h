// One function for each verb: the fields of a request become its struct.
#pragma once

#include "core/signalling/field.h"
#include "core/signalling/request.h"

namespace runnel::signalling {

// What does not fit is refused through the field; the result is then incomplete, and not to be
// used.
[[nodiscard]] Hello decode_hello(const Field& request);
[[nodiscard]] Publish decode_publish(const Field& request);
[[nodiscard]] Subscribe decode_subscribe(const Field& request);
[[nodiscard]] Unpublish decode_unpublish(const Field& request);
[[nodiscard]] Unsubscribe decode_unsubscribe(const Field& request);
[[nodiscard]] Update decode_update(const Field& request);
[[nodiscard]] PeerAnswer decode_peer_answer(const Field& request);
[[nodiscard]] Restart decode_restart(const Field& request);
[[nodiscard]] Watch decode_watch(const Field& request);
[[nodiscard]] Stats decode_stats(const Field& request);
[[nodiscard]] Report decode_report(const Field& request);
[[nodiscard]] Bye decode_bye(const Field& request);

}  // namespace runnel::signalling

// answer and restart: what a client says about a peer connection that is there.
#include <limits>

#include "core/signalling/decode_request.h"
#include "core/signalling/field_types.h"

namespace runnel::signalling {

PeerAnswer decode_peer_answer(const Field& request) {
  PeerAnswer answer;
  answer.peer = require_peer_number(request);
  if (const auto field = request.require("generation", "the number of the offer")) {
    const auto number = field->integer({1, std::numeric_limits<Generation>::max()});
    answer.generation = static_cast<Generation>(number.value_or(0));
  }
  answer.sdp = require_sdp(request, "sdp");
  return answer;
}

Restart decode_restart(const Field& request) {
  return {.peer = require_peer_number(request), .offer = require_sdp(request, "offer")};
}

}  // namespace runnel::signalling

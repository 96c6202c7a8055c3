// answer and restart: what a client says about a peer connection of its session.
#include "core/session/requests.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

std::unexpected<signalling::Error> unknown_peer(signalling::PeerNumber number) {
  return refuse(ErrorCode::unknown_peer,
                "this session has no peer connection " + std::to_string(number));
}

}  // namespace

Result handle(DeskState&, const Call&, const signalling::PeerAnswer& wish) {
  return unknown_peer(wish.peer);
}

Result handle(DeskState&, const Call&, const signalling::Restart& wish) {
  return unknown_peer(wish.peer);
}

}  // namespace runnel::session

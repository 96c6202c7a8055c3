// The keys of a signalled SRTP leg: those that the client brings, and ours for the rest.
#pragma once

#include "core/base/random.h"
#include "core/relay/relay_description.h"
#include "core/session/result.h"
#include "core/session/settings.h"
#include "core/signalling/answer.h"
#include "core/signalling/request.h"

namespace runnel::session {

struct ChosenKeys {
  relay::SrtpSettings srtp;     // for the engine
  signalling::KeyMaterial key;  // for the client
  signalling::KeyMaterial reply_key;
};

/// Takes the first suite of the offer; a key of the client has to fit it.
[[nodiscard]] Expected<ChosenKeys> choose_keys(const signalling::SrtpOffer& offer,
                                               std::size_t replay_window, RandomSource& random);

}  // namespace runnel::session

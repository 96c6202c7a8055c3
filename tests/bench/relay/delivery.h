// Whether a forwarder does its work at all: nobody's speed counts before that.
#pragma once

#include "tests/bench/relay/contender.h"
#include "tests/bench/relay/sink.h"

namespace runnel::bench {

/// Sends one burst and decrypts what every receiver gets: whether the forwarder does its work at
/// all. `encrypted` is false for one that leaves the source's encryption alone.
[[nodiscard]] bool delivers(Contender& contender, Sink& sink, bool encrypted);

}  // namespace runnel::bench

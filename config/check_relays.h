// What no single entry shows: relays that are each right and cannot stand beside each other.
#pragma once

#include "config/config.h"
#include "config/problem_list.h"

namespace runnel::config {

/// Two relays with one name.
void check_streams(const Config& config, ProblemList& problems);

/// Local ports that would be bound twice, or on which packets could not be told apart, or that are
/// more than kMostLocalPorts; destinations that two outputs share; an output that feeds its own
/// source.
void check_ports(const Config& config, ProblemList& problems);

/// Key and SSRC that two senders share, so that one keystream would encrypt two streams
/// (RFC 3711 §9.1); a warning for each SSRC that is pinned under a static key.
void check_keystreams(const Config& config, ProblemList& problems);

}  // namespace runnel::config

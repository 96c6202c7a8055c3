// Candidates and credentials by themselves: application/trickle-ice-sdpfrag (RFC 8840 §9).
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/error.h"

namespace runnel::negotiation {

struct TrickleFragment {
  std::string ufrag;  // empty, as the password: not said. Others than before restart ICE.
  std::string password;
  std::vector<std::string> candidates;  // as after "a=candidate:"
  bool end_of_candidates = false;
};

/// At most 64 KiB.
[[nodiscard]] std::expected<TrickleFragment, Error> parse_trickle_fragment(std::string_view text);

/// Answers an ICE restart: our credentials and all candidates, for the m-line `mid` of the kind
/// `media` ("audio") that carries the connection.
[[nodiscard]] std::string write_trickle_fragment(const LocalTransport& local,
                                                 std::string_view media, std::string_view mid);

}  // namespace runnel::negotiation

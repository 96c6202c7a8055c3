// The candidates that a lite agent announces: where peers may reach it (RFC 8445 §5.1, RFC 6544).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/address.h"

namespace runnel::ice {

enum class CandidateTransport : std::uint8_t {
  udp,
  tcp_passive,  // peers connect (RFC 6544 §4.1)
};

/// A host candidate of component 1 (RTP and RTCP share it). A lite agent has no others.
struct Candidate {
  CandidateTransport transport = CandidateTransport::udp;
  SocketAddress address;
  /// RFC 8445 §5.1.1.3: the same for candidates of one IP address and transport.
  std::string foundation;
  std::uint32_t priority = 0;

  /// The value of a=candidate (RFC 8839 §5.1, RFC 6544 §4.5):
  /// "1 1 udp 2130706431 192.0.2.1 7000 typ host" or
  /// "2 1 tcp 2124414975 192.0.2.1 7000 typ host tcptype passive".
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// RFC 8445 §5.1.2.1. `type_preference` is at most 126, `component` 1 to 256.
[[nodiscard]] constexpr std::uint32_t candidate_priority(std::uint32_t type_preference,
                                                         std::uint16_t local_preference,
                                                         std::uint32_t component = 1) noexcept {
  return (type_preference << 24) + (std::uint32_t{local_preference} << 8) + (256 - component);
}

/// One for each address, the most preferred first, as they are given; every UDP one is preferred to
/// every TCP one. An address that is repeated is left out. At most 256 addresses of a kind.
[[nodiscard]] std::vector<Candidate> host_candidates(std::span<const SocketAddress> udp,
                                                     std::span<const SocketAddress> tcp_passive);

}  // namespace runnel::ice

#include "core/ice/candidate.h"

#include <algorithm>

namespace runnel::ice {
namespace {

constexpr std::uint32_t kHostTypePreference = 126;
// RFC 6544 §4.2: the local preference of TCP has the direction in its upper three bits. For passive
// host candidates that is 4, which leaves it below all of UDP here.
constexpr std::uint16_t kPassiveDirection = 4 << 13;
constexpr std::size_t kMostOfAKind = 256;

std::uint16_t local_preference(CandidateTransport transport, std::size_t rank) noexcept {
  const std::size_t highest =
      transport == CandidateTransport::udp ? 0xffff : kPassiveDirection + 0x1fff;
  return static_cast<std::uint16_t>(highest - rank);
}

/// The foundation of a candidate of the same kind at the same IP address, or the next number.
std::string foundation_for(std::span<const Candidate> earlier, CandidateTransport transport,
                           const IpAddress& ip) {
  int highest = 0;
  for (const Candidate& candidate : earlier) {
    if (candidate.transport == transport && candidate.address.ip == ip) return candidate.foundation;
    highest = std::max(highest, std::stoi(candidate.foundation));
  }
  return std::to_string(highest + 1);
}

void append(std::vector<Candidate>& candidates, CandidateTransport transport,
            std::span<const SocketAddress> addresses) {
  std::size_t rank = 0;
  for (const SocketAddress& address : addresses.first(std::min(addresses.size(), kMostOfAKind))) {
    const bool repeated = std::ranges::any_of(candidates, [&](const Candidate& candidate) {
      return candidate.transport == transport && candidate.address == address;
    });
    if (repeated) continue;
    const std::uint32_t priority =
        candidate_priority(kHostTypePreference, local_preference(transport, rank++));
    candidates.push_back({.transport = transport,
                          .address = address,
                          .foundation = foundation_for(candidates, transport, address.ip),
                          .priority = priority});
  }
}

}  // namespace

std::string Candidate::to_string() const {
  const bool is_tcp = transport == CandidateTransport::tcp_passive;
  return foundation + " 1 " + (is_tcp ? "tcp " : "udp ") + std::to_string(priority) + ' ' +
         address.ip.to_string() + ' ' + std::to_string(address.port) + " typ host" +
         (is_tcp ? " tcptype passive" : "");
}

std::vector<Candidate> host_candidates(std::span<const SocketAddress> udp,
                                       std::span<const SocketAddress> tcp_passive) {
  std::vector<Candidate> candidates;
  append(candidates, CandidateTransport::udp, udp);
  append(candidates, CandidateTransport::tcp_passive, tcp_passive);
  return candidates;
}

}  // namespace runnel::ice

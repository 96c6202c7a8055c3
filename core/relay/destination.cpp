#include "core/relay/destination.h"

namespace runnel::relay {
namespace {

bool is_shared(const EngineState& state, PortIndex port) noexcept {
  return state.ports.at(port).kind == PortUse::Kind::shared;
}

bool take_path(EngineState& state, const ReceiverTrack& receiver, PortIndex port,
               const SocketAddress& remote) {
  return !is_shared(state, port) || state.paths.add({port, remote}, receiver.leg);
}

void release_path(EngineState& state, PortIndex port,
                  const std::optional<SocketAddress>& remote) noexcept {
  if (remote && is_shared(state, port)) state.paths.remove({port, *remote});
}

}  // namespace

std::optional<SocketAddress> rtcp_destination(const ReceiverMedium& medium) noexcept {
  if (!medium.rtp_destination) return std::nullopt;
  if (medium.rtcp_destination) return medium.rtcp_destination;
  SocketAddress address = *medium.rtp_destination;
  if (medium.ports.rtcp) ++address.port;
  return address;
}

bool place_receiver(EngineState& state, ReceiverTrack& receiver, const SocketAddress& rtp,
                    const SocketAddress& rtcp) {
  if (!take_path(state, receiver, receiver.ports.rtp, rtp)) return false;
  if (!take_path(state, receiver, receiver.control_port(), rtcp)) {
    release_path(state, receiver.ports.rtp, rtp);
    return false;
  }
  displace_receiver(state, receiver);
  receiver.rtp_destination = rtp;
  receiver.rtcp_destination = rtcp;
  return true;
}

void displace_receiver(EngineState& state, ReceiverTrack& receiver) noexcept {
  release_path(state, receiver.ports.rtp, receiver.rtp_destination);
  release_path(state, receiver.control_port(), receiver.rtcp_destination);
  receiver.rtp_destination.reset();
  receiver.rtcp_destination.reset();
  receiver.refused.reset();
}

}  // namespace runnel::relay

// One peer: what is known of it, and where its connection has got to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/path.h"
#include "core/base/time.h"
#include "core/dtls/association.h"
#include "core/dtls/fingerprint.h"
#include "core/ice/agent.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "core/transport/datagram_store.h"
#include "core/transport/path_directory.h"
#include "core/transport/peer_description.h"

namespace runnel::transport {

struct Peer;

/// Place in the queue of those whose turn will come.
struct ReadyLinks {
  Peer* before = nullptr;
  Peer* behind = nullptr;
  bool waits = false;
};

enum class Phase : std::uint8_t {
  connecting,  // until there are both a nominated path and keys
  connected,
  ended,
};

/// Of a RemoteDescription, what stays the same as long as the peer.
struct Identity {
  std::vector<dtls::Fingerprint> fingerprints;
  DtlsRole role = DtlsRole::passive;
};

/// Stays where it is, since tables point to it.
struct Peer {
  Peer(PeerId identity, ice::Credentials local, const ice::AgentLimits& limits)
      : id(identity), agent(std::move(local), limits), paths(limits.paths) {}

  PeerId id;
  Phase phase = Phase::connecting;
  std::string failure_detail;  // of a handshake that has failed
  ice::Agent agent;
  std::vector<std::string> ufrags;  // under which it is found: two while it restarts
  std::vector<PeerPath> paths;      // as the agent has them, for the directory
  std::optional<Identity> remote;   // nullopt: not described yet

  std::unique_ptr<dtls::Association> dtls;
  Path dtls_path;  // by which its last DTLS came
  DatagramList waiting;
  ReadyLinks ready;

  std::optional<srtp::Receiver> receiver;
  std::optional<srtp::Sender> sender;
  DatagramList early;

  Timestamp connect_end{};
  Timestamp last_authentic{};  // check or media
  Timestamp last_media{};
  bool stalled = false;
};

}  // namespace runnel::transport

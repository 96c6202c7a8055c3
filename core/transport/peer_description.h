// What the two sides of a peer connection tell each other beforehand, by SDP.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtls/fingerprint.h"
#include "core/ice/credentials.h"

namespace runnel::transport {

/// One peer with all media that it sends and receives. Never given out twice.
enum class PeerId : std::uint32_t {};

/// Which side begins the DTLS handshake (RFC 5763 §5), as seen from here.
enum class DtlsRole : std::uint8_t {
  passive,  // the peer does: a=setup:passive of ours
  active,   // we do, as soon as there is a path
};

/// What the peer has told of itself.
struct RemoteDescription {
  ice::Credentials ice;
  /// Of a=fingerprint, one at least; the certificate must have one of them.
  std::vector<dtls::Fingerprint> fingerprints;
  DtlsRole role = DtlsRole::passive;
};

}  // namespace runnel::transport

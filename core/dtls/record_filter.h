// Looks at the headers of records before OpenSSL does. For .cpp files of this room only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::dtls {

enum class Phase : std::uint8_t { handshaking, connected };

/// OpenSSL drops most of what is wrong, but not all: in plaintext, a record of a kind that it does
/// not expect ends the handshake, and of the next epoch it keeps a hundred records with a buffer of
/// 17 kB each. So nothing passes in plaintext that is not part of a handshake, and nothing early
/// but what may be a Finished. A record that may not pass is cut off with what follows it.
class RecordFilter {
 public:
  /// How many bytes at the front of `datagram` may be handed on. All of it: nothing is wrong.
  [[nodiscard]] std::size_t admit(ByteView datagram, Phase phase) noexcept;

 private:
  [[nodiscard]] bool admit_encrypted(Phase phase, bool may_be_handshake) noexcept;

  std::size_t early_records_ = 0;
};

}  // namespace runnel::dtls

// The user name fragment and password by which one side of an ICE session is known.
#pragma once

#include <string>

#include "core/base/random.h"

namespace runnel::ice {

/// RFC 8839 §5.4: of ALPHA, DIGIT, '+' and '/'; the fragment 4 to 256 characters, the password 22
/// to 256. A password is a secret, though one that travels in the SDP.
struct Credentials {
  std::string ufrag;
  std::string password;

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

/// Whether a peer may use them.
[[nodiscard]] bool is_valid(const Credentials& credentials) noexcept;
/// A fragment of 8 characters and a password of 24: 48 and 144 random bits.
[[nodiscard]] Credentials draw_credentials(RandomSource& random);

}  // namespace runnel::ice

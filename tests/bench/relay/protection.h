// The crypto of a yardstick forwarder: OpenSSL EVP, libsrtp, or none at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "tests/bench/relay/setup.h"

namespace runnel::bench {

/// All keys of one forwarder.
class Protection {
 public:
  virtual ~Protection() = default;
  /// In place; answers the size of the clear packet, or 0 when it is refused.
  [[nodiscard]] virtual std::size_t unprotect(std::uint8_t* packet, std::size_t size) = 0;
  /// In place, for the receiver with that number; `packet` has room for the tag.
  [[nodiscard]] virtual std::size_t protect(std::size_t receiver, std::uint8_t* packet,
                                            std::size_t size) = 0;
};

/// "evp", "libsrtp" or "none"; nullptr for another name. "none" adds no tag and checks nothing.
[[nodiscard]] std::unique_ptr<Protection> make_protection(std::string_view name,
                                                          const Setup& setup);

}  // namespace runnel::bench

// Certificates and private keys as they stand in PEM files. For .cpp files of this room only.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/tls/openssl_handle.h"

namespace runnel::tls {

/// The certificates of `pem` in their order, at least one; other PEM blocks are skipped. The error
/// is a sentence.
[[nodiscard]] std::expected<std::vector<X509Ptr>, std::string> parse_certificates(
    std::string_view pem);

/// RSA or EC, not encrypted. The error is a sentence.
[[nodiscard]] std::expected<PrivateKeyPtr, std::string> parse_private_key(std::string_view pem);

/// What the operator should know of a chain that can be used: not valid at `now` (seconds since
/// 1970 UTC), out of order. `certificates` begins with the server's own.
[[nodiscard]] std::vector<std::string> warnings_of(const std::vector<X509Ptr>& certificates,
                                                   std::int64_t now);

/// "CN = live.example, until 2027-01-02T03:04:05Z".
[[nodiscard]] std::string describe(const X509& certificate);

}  // namespace runnel::tls

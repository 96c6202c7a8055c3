// OpenSSL's queue of errors, as text.
#pragma once

#include <string>

namespace runnel::tls {

/// Takes all errors of this thread's queue and answers the reason of the one that says most, such
/// as "unsupported protocol"; "" when there was none.
[[nodiscard]] std::string take_openssl_error();

}  // namespace runnel::tls

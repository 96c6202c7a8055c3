// OpenSSL's queue of errors, as text.
#pragma once

#include <string>

namespace runnel::tls {

/// The reason of the oldest error in this thread's queue, such as "unsupported protocol"; the queue
/// is empty afterwards. "" when there was none.
[[nodiscard]] std::string take_openssl_error();

}  // namespace runnel::tls

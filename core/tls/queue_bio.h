// What OpenSSL reads from and writes to instead of a socket. For .cpp files of this room only.
#pragma once

#include "core/tls/byte_queue.h"
#include "core/tls/openssl_handle.h"

namespace runnel::tls {

/// Takes from `incoming` ("try again" when it is empty) and appends to `outgoing`. Both must
/// outlive the BIO. nullptr: out of memory.
[[nodiscard]] BioPtr make_queue_bio(ByteQueue& incoming, ByteQueue& outgoing);

}  // namespace runnel::tls

// The answers to connectivity checks (RFC 8445 §7.3), all under the password that the check used.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/address.h"
#include "core/base/bytes.h"
#include "core/crypto/hmac_sha1.h"
#include "core/stun/attribute.h"
#include "core/stun/message_view.h"

namespace runnel::ice {

/// Attributes of a check that an error names at most.
inline constexpr std::size_t kMaxNamedAttributes = 16;

// Each is written into `out`, of kMaxResponseSize bytes, and is a part of it.

/// Tells the peer where its check has come from.
[[nodiscard]] ByteView success_response(const stun::MessageView& request,
                                        const SocketAddress& source, const crypto::HmacSha1Key& key,
                                        ByteSpan out) noexcept;
[[nodiscard]] ByteView error_response(const stun::MessageView& request, stun::ErrorCode code,
                                      const crypto::HmacSha1Key& key, ByteSpan out) noexcept;
/// 420 (RFC 8489 §6.3.1). At most kMaxNamedAttributes.
[[nodiscard]] ByteView unknown_attribute_response(const stun::MessageView& request,
                                                  std::span<const stun::AttributeType> unknown,
                                                  const crypto::HmacSha1Key& key,
                                                  ByteSpan out) noexcept;

}  // namespace runnel::ice

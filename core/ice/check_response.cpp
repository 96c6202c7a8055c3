#include "core/ice/check_response.h"

#include "core/base/check.h"
#include "core/stun/message_writer.h"

namespace runnel::ice {
namespace {

using stun::MessageClass;
using stun::MessageWriter;

MessageWriter response_to(const stun::MessageView& request, MessageClass message_class,
                          ByteSpan out) noexcept {
  return {out, message_class, stun::kBinding, request.transaction_id()};
}

ByteView protect(MessageWriter& writer, const crypto::HmacSha1Key& key) noexcept {
  writer.message_integrity(key);
  writer.fingerprint();
  const auto message = writer.finish();
  RUNNEL_CHECK(message.has_value());
  return *message;
}

}  // namespace

ByteView success_response(const stun::MessageView& request, const SocketAddress& source,
                          const crypto::HmacSha1Key& key, ByteSpan out) noexcept {
  MessageWriter writer = response_to(request, MessageClass::success_response, out);
  writer.xor_mapped_address(source);
  return protect(writer, key);
}

ByteView error_response(const stun::MessageView& request, stun::ErrorCode code,
                        const crypto::HmacSha1Key& key, ByteSpan out) noexcept {
  MessageWriter writer = response_to(request, MessageClass::error_response, out);
  writer.error(code);
  return protect(writer, key);
}

ByteView unknown_attribute_response(const stun::MessageView& request,
                                    std::span<const stun::AttributeType> unknown,
                                    const crypto::HmacSha1Key& key, ByteSpan out) noexcept {
  MessageWriter writer = response_to(request, MessageClass::error_response, out);
  writer.error(stun::ErrorCode::unknown_attribute);
  writer.unknown_attributes(unknown);
  return protect(writer, key);
}

}  // namespace runnel::ice

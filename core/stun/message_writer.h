// Writes a STUN message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/address.h"
#include "core/base/byte_writer.h"
#include "core/base/bytes.h"
#include "core/crypto/hmac_sha1.h"
#include "core/stun/attribute.h"
#include "core/stun/integrity.h"
#include "core/stun/message.h"

namespace runnel::stun {

/// Appends attributes to a message in the given span, which must outlive the writer. The order is
/// the caller's: `message_integrity` protects what precedes it, and `fingerprint` comes last. What
/// does not fit shows in `finish`. No allocation.
class MessageWriter {
 public:
  MessageWriter(ByteSpan out, MessageClass message_class, Method method,
                const TransactionId& transaction_id) noexcept;

  /// "local:remote" as the receiver sees it: its own fragment comes first (RFC 8445 §7.2.2).
  void username(std::string_view ufrag_of_receiver, std::string_view ufrag_of_sender) noexcept;
  void priority(std::uint32_t priority) noexcept;
  void use_candidate() noexcept;
  void ice_controlling(std::uint64_t tie_breaker) noexcept;
  void ice_controlled(std::uint64_t tie_breaker) noexcept;
  void xor_mapped_address(const SocketAddress& address) noexcept;
  /// With the reason phrase of the RFCs.
  void error(ErrorCode code) noexcept;
  void unknown_attributes(std::span<const AttributeType> types) noexcept;
  void software(std::string_view name) noexcept;
  /// Any other; at most 65535 bytes.
  void attribute(AttributeType type, ByteView value) noexcept;

  void message_integrity(const crypto::HmacSha1Key& key) noexcept;
  void fingerprint() noexcept;

  /// The message, within the span; nullopt when it did not fit.
  [[nodiscard]] std::optional<ByteView> finish() noexcept;

 private:
  void begin(AttributeType type, std::size_t size) noexcept;
  void pad() noexcept;
  /// Makes the header count `ahead` bytes more than are written.
  void set_length(std::size_t ahead) noexcept;

  ByteWriter writer_;
  TransactionId transaction_id_;
};

}  // namespace runnel::stun

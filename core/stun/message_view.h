// A STUN message as it is received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/address.h"
#include "core/base/bytes.h"
#include "core/crypto/hmac_sha1.h"
#include "core/stun/attribute.h"
#include "core/stun/error.h"
#include "core/stun/integrity.h"
#include "core/stun/message.h"

namespace runnel::stun {

/// Walks over attributes that `MessageView::parse` has accepted.
class AttributeReader {
 public:
  explicit AttributeReader(ByteView attributes) noexcept : rest_(attributes) {}
  [[nodiscard]] std::optional<AttributeView> next() noexcept;

 private:
  ByteView rest_;
};

/// A message that holds together. Attributes are those up to MESSAGE-INTEGRITY, and of a repeated
/// one the first (RFC 8489 §14, §14.5): what comes later is not protected, and is not seen here.
/// Borrows the datagram. No allocation.
class MessageView {
 public:
  /// Checks header, length, framing of all attributes, sizes of the known ones, and FINGERPRINT
  /// when there is one. `datagram` is exactly one message. Nothing is authentic yet.
  [[nodiscard]] static std::expected<MessageView, Error> parse(ByteView datagram) noexcept;

  [[nodiscard]] MessageClass message_class() const noexcept;
  [[nodiscard]] Method method() const noexcept;
  /// Whether it is of Binding and of this class.
  [[nodiscard]] bool is_binding(MessageClass what) const noexcept;
  [[nodiscard]] TransactionId transaction_id() const noexcept;
  [[nodiscard]] ByteView bytes() const noexcept { return bytes_; }

  // Attributes; nullopt when there is none. Sizes have been checked.

  [[nodiscard]] AttributeReader attributes() const noexcept;
  [[nodiscard]] std::optional<ByteView> find(AttributeType type) const noexcept;
  /// Any bytes; UTF-8 is not checked.
  [[nodiscard]] std::optional<std::string_view> username() const noexcept;
  [[nodiscard]] std::optional<std::string_view> software() const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> priority() const noexcept;
  [[nodiscard]] bool use_candidate() const noexcept;
  /// The tie-breaker of a peer that believes to be controlling, or controlled.
  [[nodiscard]] std::optional<std::uint64_t> ice_controlling() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> ice_controlled() const noexcept;
  [[nodiscard]] std::optional<SocketAddress> xor_mapped_address() const noexcept;
  [[nodiscard]] std::optional<ErrorView> error() const noexcept;
  /// What the sender of a 420 did not know: writes up to `out.size()` types and answers how many.
  [[nodiscard]] std::size_t unknown_attributes(std::span<AttributeType> out) const noexcept;
  /// Attributes that must be understood and are not: each type once, up to `out.size()`; answers
  /// how many.
  [[nodiscard]] std::size_t not_understood(std::span<AttributeType> out) const noexcept;

  // Protection.

  [[nodiscard]] bool has_fingerprint() const noexcept { return has_fingerprint_; }
  [[nodiscard]] bool has_integrity() const noexcept { return integrity_at_ != 0; }
  /// Whether MESSAGE-INTEGRITY is there and right under this key; compared in constant time.
  [[nodiscard]] bool is_authentic(const crypto::HmacSha1Key& key) const noexcept;

 private:
  MessageView(ByteView bytes) noexcept : bytes_(bytes), attributes_end_(bytes.size()) {}

  [[nodiscard]] std::expected<void, Error> check_attributes() noexcept;

  ByteView bytes_;
  std::size_t attributes_end_;    // offset behind the last one that counts
  std::size_t integrity_at_ = 0;  // offset of MESSAGE-INTEGRITY; 0: there is none
  bool has_fingerprint_ = false;
};

}  // namespace runnel::stun

#include "core/stun/message_view.h"

#include <algorithm>

#include "core/base/byte_reader.h"
#include "core/crypto/constant_time.h"
#include "core/stun/attribute_layout.h"
#include "core/stun/crc32.h"

namespace runnel::stun {
namespace {

std::string_view as_text(ByteView bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_well_formed_address(ByteView value) noexcept {
  if (value.size() < kAttributeHeaderSize) return false;
  return (value[1] == kFamilyIpv4 && value.size() == kIpv4ValueSize) ||
         (value[1] == kFamilyIpv6 && value.size() == kIpv6ValueSize);
}

bool is_well_formed_error(ByteView value) noexcept {
  if (value.size() < kErrorHeaderSize) return false;
  const unsigned hundreds = value[2] & 7u;
  return hundreds >= 3 && hundreds <= 6 && value[3] < 100;
}

/// Whether a value of its type may look like this.
bool is_well_formed(const AttributeView& attribute) noexcept {
  const std::size_t size = attribute.value.size();
  switch (attribute.type) {
    case AttributeType::username:
      return size <= kMaxUsernameSize;
    case AttributeType::message_integrity:
      return size == kIntegritySize;
    case AttributeType::error_code:
      return is_well_formed_error(attribute.value);
    case AttributeType::unknown_attributes:
      return size % 2 == 0;
    case AttributeType::xor_mapped_address:
      return is_well_formed_address(attribute.value);
    case AttributeType::priority:
    case AttributeType::fingerprint:
      return size == 4;
    case AttributeType::use_candidate:
      return size == 0;
    case AttributeType::ice_controlled:
    case AttributeType::ice_controlling:
      return size == 8;
    case AttributeType::message_integrity_sha256:
    case AttributeType::software:
      return true;
  }
  return true;
}

bool is_integrity(AttributeType type) noexcept {
  return type == AttributeType::message_integrity ||
         type == AttributeType::message_integrity_sha256;
}

std::optional<std::uint64_t> as_u64(std::optional<ByteView> value) noexcept {
  if (!value) return std::nullopt;
  return load_be64(value->data());
}

}  // namespace

std::optional<AttributeView> AttributeReader::next() noexcept {
  ByteReader reader(rest_);
  const auto type = reader.u16();
  const auto size = reader.u16();
  if (!type || !size) return std::nullopt;
  const auto value = reader.take(*size);
  if (!value || !reader.take(padded_size(*size) - *size)) return std::nullopt;
  rest_ = reader.rest();
  return AttributeView{static_cast<AttributeType>(*type), *value};
}

std::expected<MessageView, Error> MessageView::parse(ByteView datagram) noexcept {
  if (datagram.size() < kHeaderSize) return std::unexpected(Error::truncated);
  if (datagram.size() > kMaxMessageSize) return std::unexpected(Error::too_long);
  if ((datagram[0] & 0xc0) != 0 || load_be32(datagram.data() + 4) != kMagicCookie) {
    return std::unexpected(Error::not_stun);
  }
  const std::size_t length = load_be16(datagram.data() + 2);
  if (length % 4 != 0 || length != datagram.size() - kHeaderSize) {
    return std::unexpected(Error::bad_length);
  }
  MessageView message(datagram);
  if (const auto checked = message.check_attributes(); !checked) {
    return std::unexpected(checked.error());
  }
  return message;
}

std::expected<void, Error> MessageView::check_attributes() noexcept {
  bool all_protected = false;
  for (std::size_t offset = kHeaderSize; offset != bytes_.size();) {
    const auto attribute = AttributeReader(bytes_.subspan(offset)).next();
    if (!attribute) return std::unexpected(Error::bad_attribute);
    const std::size_t end = offset + kAttributeHeaderSize + padded_size(attribute->value.size());

    if (attribute->type == AttributeType::fingerprint) {
      if (end != bytes_.size() || !is_well_formed(*attribute) ||
          load_be32(attribute->value.data()) != fingerprint_of(bytes_.first(offset))) {
        return std::unexpected(Error::bad_fingerprint);
      }
      has_fingerprint_ = true;
    }
    if (!all_protected) {
      if (!is_well_formed(*attribute)) return std::unexpected(Error::bad_attribute);
      if (is_integrity(attribute->type)) {
        if (attribute->type == AttributeType::message_integrity) integrity_at_ = offset;
        attributes_end_ = offset;
        all_protected = true;
      }
    }
    offset = end;
  }
  return {};
}

// The bits of class (C) and method (M) are interleaved: 00MMMMMC MMMCMMMM.
MessageClass MessageView::message_class() const noexcept {
  return static_cast<MessageClass>(((bytes_[0] & 1u) << 1) | ((bytes_[1] >> 4) & 1u));
}

Method MessageView::method() const noexcept {
  return static_cast<Method>(((bytes_[0] & 0x3eu) << 6) | ((bytes_[1] & 0xe0u) >> 1) |
                             (bytes_[1] & 0x0fu));
}

bool MessageView::is_binding(MessageClass what) const noexcept {
  return method() == kBinding && message_class() == what;
}

TransactionId MessageView::transaction_id() const noexcept {
  TransactionId id;
  copy_bytes(id, bytes_.subspan(kHeaderSize - id.size(), id.size()));
  return id;
}

AttributeReader MessageView::attributes() const noexcept {
  return AttributeReader(bytes_.first(attributes_end_).subspan(kHeaderSize));
}

std::optional<ByteView> MessageView::find(AttributeType type) const noexcept {
  AttributeReader reader = attributes();
  while (const auto attribute = reader.next()) {
    if (attribute->type == type) return attribute->value;
  }
  return std::nullopt;
}

std::optional<std::string_view> MessageView::username() const noexcept {
  return find(AttributeType::username).transform(as_text);
}

std::optional<std::string_view> MessageView::software() const noexcept {
  return find(AttributeType::software).transform(as_text);
}

std::optional<std::uint32_t> MessageView::priority() const noexcept {
  return find(AttributeType::priority).transform([](ByteView v) { return load_be32(v.data()); });
}

bool MessageView::use_candidate() const noexcept {
  return find(AttributeType::use_candidate).has_value();
}

std::optional<std::uint64_t> MessageView::ice_controlling() const noexcept {
  return as_u64(find(AttributeType::ice_controlling));
}

std::optional<std::uint64_t> MessageView::ice_controlled() const noexcept {
  return as_u64(find(AttributeType::ice_controlled));
}

std::optional<SocketAddress> MessageView::xor_mapped_address() const noexcept {
  const auto value = find(AttributeType::xor_mapped_address);
  if (!value) return std::nullopt;
  const auto port = static_cast<std::uint16_t>(load_be16(value->data() + 2) ^ kPortMask);
  std::array<std::uint8_t, 16> bytes{};
  const ByteView address = value->subspan(4);
  copy_bytes(bytes, address);
  xor_with_header(ByteSpan(bytes).first(address.size()), transaction_id());
  if ((*value)[1] == kFamilyIpv6) return SocketAddress{IpAddress::v6(bytes), port};
  return SocketAddress{IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]}), port};
}

std::optional<ErrorView> MessageView::error() const noexcept {
  return find(AttributeType::error_code).transform([](ByteView value) {
    const unsigned code = (value[2] & 7u) * 100u + value[3];
    return ErrorView{static_cast<ErrorCode>(code), as_text(value.subspan(kErrorHeaderSize))};
  });
}

std::size_t MessageView::unknown_attributes(std::span<AttributeType> out) const noexcept {
  const auto value = find(AttributeType::unknown_attributes);
  if (!value) return 0;
  const std::size_t count = std::min(out.size(), value->size() / 2);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<AttributeType>(load_be16(value->data() + 2 * i));
  }
  return count;
}

std::size_t MessageView::not_understood(std::span<AttributeType> out) const noexcept {
  std::size_t count = 0;
  AttributeReader reader = attributes();
  for (auto attribute = reader.next(); attribute && count < out.size(); attribute = reader.next()) {
    if (!is_comprehension_required(attribute->type) || is_known(attribute->type)) continue;
    const auto listed = out.first(count);
    if (std::ranges::find(listed, attribute->type) == listed.end()) out[count++] = attribute->type;
  }
  return count;
}

bool MessageView::is_authentic(const crypto::HmacSha1Key& key) const noexcept {
  if (!has_integrity()) return false;
  return crypto::equal_in_constant_time(
      integrity_of(bytes_.first(integrity_at_), key),
      bytes_.subspan(integrity_at_ + kAttributeHeaderSize, kIntegritySize));
}

}  // namespace runnel::stun

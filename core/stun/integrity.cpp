#include "core/stun/integrity.h"

#include "core/stun/attribute_layout.h"

namespace runnel::stun {

std::array<std::uint8_t, kIntegritySize> integrity_of(ByteView preceding,
                                                      const crypto::HmacSha1Key& key) noexcept {
  std::array<std::uint8_t, kMaxMessageSize> copy;
  const ByteSpan message = ByteSpan(copy).first(preceding.size());
  copy_bytes(message, preceding);
  const std::size_t end = preceding.size() + kAttributeHeaderSize + kIntegritySize;
  store_be16(message.data() + 2, static_cast<std::uint16_t>(end - kHeaderSize));

  std::array<std::uint8_t, kIntegritySize> digest;
  const crypto::HmacSha1Job job{&key, message, &digest};
  crypto::hmac_sha1({&job, 1});
  return digest;
}

}  // namespace runnel::stun

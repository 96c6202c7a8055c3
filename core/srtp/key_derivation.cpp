#include "core/srtp/key_derivation.h"

#include <algorithm>

#include "core/crypto/aes_ctr.h"

namespace runnel::srtp {

void derive_key(const MasterKey& master, KeyLabel label, ByteSpan out) {
  // x = key_id XOR master_salt, where key_id is the label followed by 48 bits of index / rate,
  // here zero; the counter block is x * 2^16. A salt of 96 bits is padded on the right to 112.
  constexpr std::size_t kLabelOffset = 7;
  crypto::CounterBlock counter{};
  copy_bytes(counter, master.salt());
  counter[kLabelOffset] ^= static_cast<std::uint8_t>(label);

  std::ranges::fill(out, std::uint8_t{0});
  const crypto::AesCtr prf(master.key());
  prf.apply(counter, out, out.data());
  wipe(counter.data(), counter.size());
}

}  // namespace runnel::srtp

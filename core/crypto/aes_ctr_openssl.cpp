// The portable AES-CTR kernel. OpenSSL encrypts our counter blocks in ECB mode, whose context needs
// no initialisation per packet, and our XOR kernel applies the keystream.
#include <algorithm>

#include "core/base/check.h"
#include "core/base/secret.h"
#include "core/crypto/aes_ctr_kernels.h"
#include "core/crypto/xor.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kBlockSize = 16;
constexpr std::size_t kBlocksAtOnce = 80;  // a packet of 1280 bytes in one call

}  // namespace

CipherContext make_aes_ecb(ByteView key) {
  CipherContext context(EVP_CIPHER_CTX_new());
  RUNNEL_CHECK(context != nullptr);
  const EVP_CIPHER* cipher = key.size() == 16 ? EVP_aes_128_ecb() : EVP_aes_256_ecb();
  RUNNEL_CHECK(EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), nullptr) == 1);
  RUNNEL_CHECK(EVP_CIPHER_CTX_set_padding(context.get(), 0) == 1);
  return context;
}

void aes_ctr_openssl(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                     const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  std::array<std::uint8_t, kBlocksAtOnce * kBlockSize> keystream;
  while (size != 0) {
    const std::size_t piece = std::min(size, keystream.size());
    const std::size_t whole_blocks = (piece + kBlockSize - 1) / kBlockSize * kBlockSize;
    for (std::size_t i = 0; i < whole_blocks; i += kBlockSize) {
      store_be64(keystream.data() + i, high);
      store_be64(keystream.data() + i + 8, low++);
    }
    int written = 0;
    const int ok = EVP_EncryptUpdate(key.ecb.get(), keystream.data(), &written, keystream.data(),
                                     static_cast<int>(whole_blocks));
    RUNNEL_CHECK(ok == 1 && written == static_cast<int>(whole_blocks));
    xor_bytes({in, piece}, keystream, out);
    in += piece;
    out += piece;
    size -= piece;
  }
  wipe(keystream.data(), keystream.size());
}

}  // namespace runnel::crypto

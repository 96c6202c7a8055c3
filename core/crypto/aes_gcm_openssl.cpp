// AES-GCM by OpenSSL, with the key kept in the context: a message costs the setting of its IV only.
#include "core/base/check.h"
#include "core/crypto/aes_gcm_kernels.h"

namespace runnel::crypto {
namespace {

enum Direction : int { kDecrypt = 0, kEncrypt = 1 };

void process(EVP_CIPHER_CTX* context, Direction direction, const GcmIv& iv,
             ByteView associated_data, ByteView in, std::uint8_t* out) noexcept {
  int size = 0;
  RUNNEL_CHECK(EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, iv.data(), direction) == 1);
  if (!associated_data.empty()) {
    RUNNEL_CHECK(EVP_CipherUpdate(context, nullptr, &size, associated_data.data(),
                                  static_cast<int>(associated_data.size())) == 1);
  }
  if (!in.empty()) {
    RUNNEL_CHECK(EVP_CipherUpdate(context, out, &size, in.data(), static_cast<int>(in.size())) ==
                 1);
  }
}

// GCM has no last block to give out, but OpenSSL wants a place for it.
bool finish(EVP_CIPHER_CTX* context) noexcept {
  std::array<std::uint8_t, 16> unused;
  int size = 0;
  return EVP_CipherFinal_ex(context, unused.data(), &size) == 1;
}

}  // namespace

CipherContext make_aes_gcm(ByteView key) {
  CipherContext context(EVP_CIPHER_CTX_new());
  RUNNEL_CHECK(context != nullptr);
  const EVP_CIPHER* cipher = key.size() == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
  RUNNEL_CHECK(EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), nullptr) == 1);
  return context;
}

void gcm_seal_openssl(const AesGcmKey& key, const GcmSealJob& job) noexcept {
  EVP_CIPHER_CTX* context = key.context.get();
  process(context, kEncrypt, job.iv, job.associated_data, job.plaintext, job.ciphertext);
  RUNNEL_CHECK(finish(context));
  RUNNEL_CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, kGcmTagSize, job.tag) == 1);
}

bool gcm_open_openssl(const AesGcmKey& key, const GcmOpenJob& job) noexcept {
  EVP_CIPHER_CTX* context = key.context.get();
  process(context, kDecrypt, job.iv, job.associated_data, job.ciphertext, job.plaintext);
  std::array<std::uint8_t, kGcmTagSize> tag;
  copy_bytes(tag, ByteView(job.tag, kGcmTagSize));
  RUNNEL_CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, kGcmTagSize, tag.data()) == 1);
  return finish(context);
}

}  // namespace runnel::crypto

#include "core/crypto/aes_gcm.h"

#include <utility>

#include "core/base/check.h"
#include "core/crypto/openssl_cipher.h"

namespace runnel::crypto {

struct AesGcm::State {
  CipherContext context;
};

namespace {

enum Direction : int { kDecrypt = 0, kEncrypt = 1 };

// Starts one message under the kept key: IV, associated data, and the text itself.
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

}  // namespace

AesGcm::AesGcm(ByteView key) : state_(nullptr) {
  RUNNEL_CHECK(key.size() == 16 || key.size() == 32);
  CipherContext context(EVP_CIPHER_CTX_new());
  RUNNEL_CHECK(context != nullptr);
  const EVP_CIPHER* cipher = key.size() == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
  RUNNEL_CHECK(EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), nullptr) == 1);
  state_ = new State{std::move(context)};
}

AesGcm::AesGcm(AesGcm&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

AesGcm& AesGcm::operator=(AesGcm&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

AesGcm::~AesGcm() {
  delete state_;
}

void gcm_seal(std::span<const GcmSealJob> jobs) noexcept {
  for (const GcmSealJob& job : jobs) {
    EVP_CIPHER_CTX* context = job.key->state_->context.get();
    process(context, kEncrypt, job.iv, job.associated_data, job.plaintext, job.ciphertext);
    std::array<std::uint8_t, kGcmTagSize> unused;
    int size = 0;
    RUNNEL_CHECK(EVP_CipherFinal_ex(context, unused.data(), &size) == 1);
    RUNNEL_CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, kGcmTagSize, job.tag) == 1);
  }
}

void gcm_open(std::span<GcmOpenJob> jobs) noexcept {
  for (GcmOpenJob& job : jobs) {
    EVP_CIPHER_CTX* context = job.key->state_->context.get();
    process(context, kDecrypt, job.iv, job.associated_data, job.ciphertext, job.plaintext);
    std::array<std::uint8_t, kGcmTagSize> tag;
    copy_bytes(tag, ByteView(job.tag, kGcmTagSize));
    RUNNEL_CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, kGcmTagSize, tag.data()) == 1);
    std::array<std::uint8_t, kGcmTagSize> unused;
    int size = 0;
    job.authentic = EVP_CipherFinal_ex(context, unused.data(), &size) == 1;
  }
}

}  // namespace runnel::crypto

// OpenSSL's own answers, through the EVP interface, to compare ours with.
#pragma once

#include <memory>
#include <vector>

#include <openssl/evp.h>

#include "core/base/bytes.h"

namespace runnel::test {

using EvpContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

inline EvpContext evp_context() {
  return {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
}

inline std::vector<std::uint8_t> evp_aes_ctr(ByteView key, ByteView counter, ByteView in) {
  const EvpContext context = evp_context();
  std::vector<std::uint8_t> out(in.size());
  int written = 0;
  EVP_EncryptInit_ex(context.get(), key.size() == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr(),
                     nullptr, key.data(), counter.data());
  EVP_EncryptUpdate(context.get(), out.data(), &written, in.data(), static_cast<int>(in.size()));
  return out;
}

inline std::vector<std::uint8_t> evp_hmac_sha1(ByteView key, ByteView message) {
  static constexpr std::uint8_t kNothing = 0;  // OpenSSL takes a null key for "the key of before"
  std::vector<std::uint8_t> digest(20);
  std::size_t written = 0;
  EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA1", nullptr, key.empty() ? &kNothing : key.data(),
            key.size(), message.empty() ? &kNothing : message.data(), message.size(), digest.data(),
            digest.size(), &written);
  return digest;
}

/// Ciphertext, then the tag.
inline std::vector<std::uint8_t> evp_aes_gcm(ByteView key, ByteView iv, ByteView associated_data,
                                             ByteView plaintext) {
  const EvpContext context = evp_context();
  std::vector<std::uint8_t> out(plaintext.size() + 16);
  int written = 0;
  EVP_EncryptInit_ex(context.get(), key.size() == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(),
                     nullptr, key.data(), iv.data());
  if (!associated_data.empty()) {
    EVP_EncryptUpdate(context.get(), nullptr, &written, associated_data.data(),
                      static_cast<int>(associated_data.size()));
  }
  if (!plaintext.empty()) {
    EVP_EncryptUpdate(context.get(), out.data(), &written, plaintext.data(),
                      static_cast<int>(plaintext.size()));
  }
  EVP_EncryptFinal_ex(context.get(), out.data() + plaintext.size(), &written);
  EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, 16, out.data() + plaintext.size());
  return out;
}

}  // namespace runnel::test

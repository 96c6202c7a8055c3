#include "tests/bench/relay/srtp_evp.h"

#include <cstdlib>

#include <openssl/core_names.h>
#include <openssl/crypto.h>

namespace runnel::bench {
namespace {

constexpr std::size_t kHmacTagSize = 10;

void require(bool condition) {
  if (!condition) std::abort();
}

/// RFC 3711 §4.3: AES-CM under the master key, at salt XOR label * 2^48.
void derive(ByteView key, ByteView salt, std::uint8_t label, std::uint8_t* out, int size) {
  std::array<std::uint8_t, 16> iv{};
  copy_bytes(iv, salt);
  iv[7] = static_cast<std::uint8_t>(iv[7] ^ label);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  const std::array<std::uint8_t, 32> zeros{};
  int written = 0;
  require(EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), nullptr, key.data(), iv.data()) == 1 &&
          EVP_EncryptUpdate(context, out, &written, zeros.data(), size) == 1);
  EVP_CIPHER_CTX_free(context);
}

EVP_MAC_CTX* make_hmac_sha1(ByteView key) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  std::array<char, 5> digest{'S', 'H', 'A', '1', '\0'};
  const std::array parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  require(EVP_MAC_init(context, key.data(), key.size(), parameters.data()) == 1);
  return context;
}

}  // namespace

std::size_t rtp_header_size(const std::uint8_t* packet, std::size_t size) {
  std::size_t header = 12;
  if (size < header) return 0;
  header += std::size_t{4} * (packet[0] & 0x0F);
  if ((packet[0] & 0x10) != 0) {
    if (size < header + 4) return 0;
    header += 4 + std::size_t{4} * load_be16(packet + header + 2);
  }
  return header <= size ? header : 0;
}

EvpSrtp::EvpSrtp(Suite suite, ByteView key_and_salt)
    : suite_(suite), cipher_(EVP_CIPHER_CTX_new()) {
  const bool aead = suite == Suite::aead_aes_128_gcm;
  require(key_and_salt.size() == (aead ? 28U : 30U));
  const ByteView key = key_and_salt.first(16);
  const ByteView salt = key_and_salt.subspan(16);
  std::array<std::uint8_t, 16> session_key{};
  std::array<std::uint8_t, 20> authentication_key{};
  derive(key, salt, 0, session_key.data(), 16);
  derive(key, salt, 1, authentication_key.data(), 20);
  derive(key, salt, 2, salt_.data(), static_cast<int>(salt.size()));
  require(EVP_CipherInit_ex(cipher_.get(), aead ? EVP_aes_128_gcm() : EVP_aes_128_ctr(), nullptr,
                            session_key.data(), nullptr, 1) == 1);
  if (!aead) mac_.reset(make_hmac_sha1(authentication_key));
}

EvpSrtp::Iv EvpSrtp::counter_block(std::uint32_t ssrc, std::uint64_t index) const {
  Iv iv{};
  store_be32(iv.data() + 4, ssrc);
  store_be64(iv.data() + 6, load_be64(iv.data() + 6) | index);
  for (std::size_t i = 0; i < salt_.size(); ++i) {
    iv[i] = static_cast<std::uint8_t>(iv[i] ^ salt_[i]);
  }
  return iv;
}

EvpSrtp::Iv EvpSrtp::aead_nonce(std::uint32_t ssrc, std::uint64_t index) const {
  Iv iv{};
  store_be32(iv.data() + 2, ssrc);
  store_be32(iv.data() + 6, static_cast<std::uint32_t>(index >> 16));
  store_be16(iv.data() + 10, static_cast<std::uint16_t>(index));
  for (std::size_t i = 0; i < 12; ++i) iv[i] = static_cast<std::uint8_t>(iv[i] ^ salt_[i]);
  return iv;
}

void EvpSrtp::apply_keystream(const Iv& iv, std::uint8_t* data, std::size_t size) {
  int written = 0;
  require(EVP_CipherInit_ex(cipher_.get(), nullptr, nullptr, nullptr, iv.data(), -1) == 1 &&
          EVP_CipherUpdate(cipher_.get(), data, &written, data, static_cast<int>(size)) == 1);
}

EvpSrtp::Tag EvpSrtp::authenticate(const std::uint8_t* packet, std::size_t size,
                                   std::uint64_t index) {
  std::array<std::uint8_t, 4> rollover{};
  store_be32(rollover.data(), static_cast<std::uint32_t>(index >> 16));
  Tag tag{};
  std::size_t written = 0;
  require(EVP_MAC_init(mac_.get(), nullptr, 0, nullptr) == 1 &&
          EVP_MAC_update(mac_.get(), packet, size) == 1 &&
          EVP_MAC_update(mac_.get(), rollover.data(), rollover.size()) == 1 &&
          EVP_MAC_final(mac_.get(), tag.data(), &written, tag.size()) == 1);
  return tag;
}

std::size_t EvpSrtp::protect(std::uint8_t* packet, std::size_t size) {
  const std::size_t header = rtp_header_size(packet, size);
  const std::uint32_t ssrc = load_be32(packet + 8);
  Stream& stream = streams_[ssrc];
  const std::uint64_t index = estimate_index(stream, load_be16(packet + 2));
  commit(stream, index);
  if (suite_ == Suite::aes_cm_128_hmac_sha1_80) {
    apply_keystream(counter_block(ssrc, index), packet + header, size - header);
    const Tag tag = authenticate(packet, size, index);
    copy_bytes({packet + size, kHmacTagSize}, ByteView(tag).first(kHmacTagSize));
    return size + kHmacTagSize;
  }
  EVP_CIPHER_CTX* context = cipher_.get();
  std::uint8_t* payload = packet + header;
  int written = 0;
  require(
      EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, aead_nonce(ssrc, index).data(), 1) ==
          1 &&
      EVP_CipherUpdate(context, nullptr, &written, packet, static_cast<int>(header)) == 1 &&
      EVP_CipherUpdate(context, payload, &written, payload, static_cast<int>(size - header)) == 1 &&
      EVP_CipherFinal_ex(context, packet + size, &written) == 1 &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, packet + size) == 1);
  return size + 16;
}

bool EvpSrtp::open_aead(std::uint8_t* packet, std::size_t header, std::size_t clear,
                        std::uint64_t index) {
  EVP_CIPHER_CTX* context = cipher_.get();
  std::uint8_t* payload = packet + header;
  const Iv iv = aead_nonce(load_be32(packet + 8), index);
  int written = 0;
  return EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, iv.data(), 0) == 1 &&
         EVP_CipherUpdate(context, nullptr, &written, packet, static_cast<int>(header)) == 1 &&
         EVP_CipherUpdate(context, payload, &written, payload, static_cast<int>(clear - header)) ==
             1 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, packet + clear) == 1 &&
         EVP_CipherFinal_ex(context, payload, &written) == 1;
}

std::optional<std::size_t> EvpSrtp::unprotect(std::uint8_t* packet, std::size_t size) {
  const bool aead = suite_ == Suite::aead_aes_128_gcm;
  const std::size_t tag_size = aead ? 16 : kHmacTagSize;
  const std::size_t header = rtp_header_size(packet, size);
  if (header == 0 || size < header + tag_size) return std::nullopt;
  const std::size_t clear = size - tag_size;
  const std::uint32_t ssrc = load_be32(packet + 8);
  const auto known = streams_.find(ssrc);
  const Stream before = known == streams_.end() ? Stream{} : known->second;
  const std::uint64_t index = estimate_index(before, load_be16(packet + 2));
  if (is_replay(before, index)) return std::nullopt;
  if (aead) {
    if (!open_aead(packet, header, clear, index)) return std::nullopt;
  } else {
    const Tag tag = authenticate(packet, clear, index);
    if (CRYPTO_memcmp(tag.data(), packet + clear, kHmacTagSize) != 0) return std::nullopt;
    apply_keystream(counter_block(ssrc, index), packet + header, clear - header);
  }
  commit(known == streams_.end() ? streams_[ssrc] : known->second, index);
  return clear;
}

std::uint64_t EvpSrtp::estimate_index(const Stream& stream, std::uint16_t sequence) {
  if (!stream.started) return sequence;
  const auto delta =
      static_cast<std::int16_t>(sequence - static_cast<std::uint16_t>(stream.highest));
  const auto index = static_cast<std::int64_t>(stream.highest) + delta;
  return index < 0 ? sequence : static_cast<std::uint64_t>(index);
}

bool EvpSrtp::is_replay(const Stream& stream, std::uint64_t index) {
  if (!stream.started || index > stream.highest) return false;
  const std::uint64_t behind = stream.highest - index;
  return behind >= 64 || ((stream.seen >> behind) & 1) != 0;
}

void EvpSrtp::commit(Stream& stream, std::uint64_t index) {
  if (!stream.started || index > stream.highest) {
    const std::uint64_t ahead = stream.started ? index - stream.highest : 64;
    stream.seen = (ahead >= 64 ? 0 : stream.seen << ahead) | 1;
    stream.highest = index;
    stream.started = true;
  } else {
    stream.seen |= std::uint64_t{1} << (stream.highest - index);
  }
}

}  // namespace runnel::bench

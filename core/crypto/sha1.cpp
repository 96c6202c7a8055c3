// The low-level SHA-1 calls are deprecated since OpenSSL 3.0 in favour of EVP. EVP hides the state
// and initialises per message, which costs more than hashing a small packet; so they are used here,
// and here only.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/crypto/sha1.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace runnel::crypto {
namespace {

SHA_CTX resume(const Sha1State& state, std::uint32_t blocks_before) noexcept {
  SHA_CTX context{};
  context.h0 = state[0];
  context.h1 = state[1];
  context.h2 = state[2];
  context.h3 = state[3];
  context.h4 = state[4];
  context.Nl = blocks_before * kSha1BlockSize * 8;
  return context;
}

}  // namespace

Sha1State sha1_compress(const Sha1State& state, const Sha1Block& block) noexcept {
  SHA_CTX context = resume(state, 0);
  SHA1_Transform(&context, block.data());
  const Sha1State result{context.h0, context.h1, context.h2, context.h3, context.h4};
  OPENSSL_cleanse(&context, sizeof context);
  return result;
}

void sha1_finish(const Sha1State& state, std::uint32_t blocks_before, ByteView rest,
                 std::uint8_t* digest) noexcept {
  SHA_CTX context = resume(state, blocks_before);
  SHA1_Update(&context, rest.data(), rest.size());
  SHA1_Final(digest, &context);
}

}  // namespace runnel::crypto

// HMAC-SHA1 on OpenSSL's block function, one message after the other.
#include "core/crypto/hmac_sha1_kernels.h"

namespace runnel::crypto {

void hmac_sha1_openssl(std::span<const HmacSha1Job> jobs) noexcept {
  for (const HmacSha1Job& job : jobs) {
    sha1_finish(job.key->inner(), 1, job.message, job.digest->data());
    sha1_finish(job.key->outer(), 1, *job.digest, job.digest->data());
  }
}

}  // namespace runnel::crypto

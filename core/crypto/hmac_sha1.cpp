#include "core/crypto/hmac_sha1.h"

#include "core/base/secret.h"
#include "core/crypto/sha1_openssl.h"

namespace runnel::crypto {
namespace {

void hmac_sha1_openssl(std::span<const HmacSha1Job> jobs) noexcept {
  for (const HmacSha1Job& job : jobs) {
    sha1_finish(job.key->inner(), 1, job.message, job.digest->data());
    sha1_finish(job.key->outer(), 1, *job.digest, job.digest->data());
  }
}

}  // namespace

std::string_view to_string(HmacSha1Kernel kernel) noexcept {
  switch (kernel) {
    case HmacSha1Kernel::openssl:
      return "openssl";
    case HmacSha1Kernel::sha_ni:
      return "sha_ni";
    case HmacSha1Kernel::avx512:
      return "avx512";
  }
  return "unknown";
}

bool is_supported(HmacSha1Kernel kernel, const CpuFeatures&) noexcept {
  return kernel == HmacSha1Kernel::openssl;
}

HmacSha1Key::HmacSha1Key(ByteView key) noexcept {
  std::array<std::uint8_t, kSha1BlockSize> block{};
  if (key.size() > block.size()) {
    sha1_finish(kSha1InitialState, 0, key, block.data());
  } else {
    copy_bytes(block, key);
  }
  for (std::uint8_t& byte : block) byte ^= 0x36;
  inner_ = sha1_compress(kSha1InitialState, block);
  for (std::uint8_t& byte : block) byte ^= 0x36 ^ 0x5c;
  outer_ = sha1_compress(kSha1InitialState, block);
  wipe(block.data(), block.size());
}

HmacSha1Key::HmacSha1Key(HmacSha1Key&& other) noexcept
    : inner_(other.inner_), outer_(other.outer_) {
  wipe(&other.inner_, sizeof other.inner_);
  wipe(&other.outer_, sizeof other.outer_);
}

HmacSha1Key& HmacSha1Key::operator=(HmacSha1Key&& other) noexcept {
  if (this != &other) {
    inner_ = other.inner_;
    outer_ = other.outer_;
    wipe(&other.inner_, sizeof other.inner_);
    wipe(&other.outer_, sizeof other.outer_);
  }
  return *this;
}

HmacSha1Key::~HmacSha1Key() {
  wipe(&inner_, sizeof inner_);
  wipe(&outer_, sizeof outer_);
}

void hmac_sha1(std::span<const HmacSha1Job> jobs) noexcept {
  hmac_sha1_openssl(jobs);
}

void hmac_sha1(std::span<const HmacSha1Job> jobs, HmacSha1Kernel) noexcept {
  hmac_sha1_openssl(jobs);
}

}  // namespace runnel::crypto

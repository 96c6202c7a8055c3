#include "core/crypto/hmac_sha1.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/secret.h"
#include "core/crypto/hmac_sha1_kernels.h"

namespace runnel::crypto {

namespace {

// Sixteen lanes take as long for one message as for sixteen. From this many messages on they are
// faster than the other kernels.
constexpr std::size_t kLanes = 16;
constexpr std::size_t kFewestJobsBesideShaNi = 8;
constexpr std::size_t kFewestJobsBesideOpenssl = 3;

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
  std::unreachable();
}

bool is_supported(HmacSha1Kernel kernel, const CpuFeatures& cpu) noexcept {
  switch (kernel) {
    case HmacSha1Kernel::openssl:
      return true;
    case HmacSha1Kernel::sha_ni:
      return cpu.sha && cpu.ssse3 && cpu.sse41;
    case HmacSha1Kernel::avx512:
      return cpu.avx2 && cpu.avx512;
  }
  std::unreachable();
}

HmacSha1Key::HmacSha1Key(ByteView key) noexcept {
  Sha1Block block{};
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
  const bool sha_ni = is_supported(HmacSha1Kernel::sha_ni);
  if (is_supported(HmacSha1Kernel::avx512)) {
    const std::size_t fewest = sha_ni ? kFewestJobsBesideShaNi : kFewestJobsBesideOpenssl;
    const std::size_t remainder = jobs.size() % kLanes;
    const std::size_t side_by_side = remainder < fewest ? jobs.size() - remainder : jobs.size();
    if (side_by_side != 0) hmac_sha1(jobs.first(side_by_side), HmacSha1Kernel::avx512);
    jobs = jobs.subspan(side_by_side);
  }
  if (!jobs.empty()) hmac_sha1(jobs, sha_ni ? HmacSha1Kernel::sha_ni : HmacSha1Kernel::openssl);
}

void hmac_sha1(std::span<const HmacSha1Job> jobs, HmacSha1Kernel kernel) noexcept {
  RUNNEL_CHECK(is_supported(kernel));
  switch (kernel) {
#if defined(__x86_64__)
    case HmacSha1Kernel::sha_ni:
      return hmac_sha1_sha_ni(jobs);
    case HmacSha1Kernel::avx512:
      return hmac_sha1_avx512(jobs);
#endif
    default:
      return hmac_sha1_openssl(jobs);
  }
}

}  // namespace runnel::crypto

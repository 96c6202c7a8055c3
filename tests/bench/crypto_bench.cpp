// The kernels of core/crypto beside OpenSSL's EVP interface, used as one uses it: a context kept
// per key, a new IV per packet.
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "core/base/packet_slab.h"
#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_gcm.h"
#include "core/crypto/hmac_sha1.h"
#include "core/crypto/xor.h"
#include "tests/bench/paired.h"

namespace {

using namespace runnel;
using namespace runnel::crypto;
using runnel::bench::run_paired;

constexpr std::size_t kPackets = 8;  // rotated through; in and out fit into the L1 cache together
constexpr int kRepeats = 16;         // of all packets, per measured round
constexpr double kOperations = kPackets * kRepeats;
constexpr std::size_t kRtpHeaderSize = 12;

std::vector<std::uint8_t> pattern(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

template <typename Operation>
void for_each_packet(const Operation& operation) {
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (std::size_t i = 0; i < kPackets; ++i) operation(i);
  }
}

using EvpCipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

EvpCipher evp_cipher(const EVP_CIPHER* cipher, ByteView key) {
  EvpCipher context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), nullptr);
  return context;
}

void aes_ctr(benchmark::State& state, AesCtrKernel kernel, std::size_t key_size, std::size_t size) {
  const auto key = pattern(key_size);
  const AesCtr ours(key, kernel);
  const EvpCipher peer = evp_cipher(key_size == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr(), key);
  PacketSlab plain(kPackets);
  PacketSlab sealed(kPackets);
  CounterBlock counter{};
  run_paired(
      state, kOperations,
      [&] {
        for_each_packet([&](std::size_t i) {
          store_be64(counter.data() + 8, i << 16);
          ours.apply(counter, plain.slot(i).first(size), sealed.slot(i).data());
        });
      },
      [&] {
        for_each_packet([&](std::size_t i) {
          int written = 0;
          store_be64(counter.data() + 8, i << 16);
          EVP_EncryptInit_ex(peer.get(), nullptr, nullptr, nullptr, counter.data());
          EVP_EncryptUpdate(peer.get(), sealed.slot(i).data(), &written, plain.slot(i).data(),
                            static_cast<int>(size));
        });
      });
}

// What one writes first; the compiler is kept from vectorising it, as -O2 does.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline, optimize("O2", "no-tree-vectorize")))
#else
__attribute__((noinline))
#endif
void xor_byte_loop(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                   std::size_t size) {
#if defined(__clang__)
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (std::size_t i = 0; i < size; ++i) out[i] = a[i] ^ b[i];
}

void xor_bytes_of(benchmark::State& state, std::optional<XorKernel> kernel, std::size_t size) {
  // Three areas that start at cache lines, not a multiple of a page apart.
  struct alignas(64) Line {
    std::uint8_t bytes[64];
  };
  const std::size_t lines = size / sizeof(Line) + 3;
  std::vector<Line> memory(3 * lines);
  const ByteView a(memory[0].bytes, size);
  const ByteView b(memory[lines].bytes, size);
  std::uint8_t* const out = memory[2 * lines].bytes;
  run_paired(
      state, kOperations,
      [&] {
        for_each_packet([&](std::size_t) {
          kernel ? xor_bytes(a, b, out, *kernel) : xor_bytes(a, b, out);
          benchmark::ClobberMemory();
        });
      },
      [&] {
        for_each_packet([&](std::size_t) {
          xor_byte_loop(a.data(), b.data(), out, size);
          benchmark::ClobberMemory();
        });
      });
}

using EvpMac = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;

EvpMac evp_hmac_sha1(ByteView key) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EvpMac context(EVP_MAC_CTX_new(mac), EVP_MAC_CTX_free);
  EVP_MAC_free(mac);
  char digest[] = "SHA1";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  EVP_MAC_init(context.get(), key.data(), key.size(), parameters);
  return context;
}

// `batch` packets of as many keys in each call; without a kernel, the choice by number of jobs.
void hmac(benchmark::State& state, std::optional<HmacSha1Kernel> kernel, std::size_t size,
          std::size_t batch) {
  const auto key_bytes = pattern(20);
  std::vector<HmacSha1Key> keys;
  for (std::size_t i = 0; i < batch; ++i) keys.emplace_back(key_bytes);
  const EvpMac peer = evp_hmac_sha1(key_bytes);
  PacketSlab packets(batch);
  std::vector<std::array<std::uint8_t, kSha1DigestSize>> digests(batch);
  std::vector<HmacSha1Job> jobs;
  for (std::size_t i = 0; i < batch; ++i) {
    jobs.push_back({&keys[i], packets.slot(i).first(size), &digests[i]});
  }
  const double operations = static_cast<double>(batch) * kRepeats;
  run_paired(
      state, operations,
      [&] {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
          kernel ? hmac_sha1(jobs, *kernel) : hmac_sha1(jobs);
        }
      },
      [&] {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
          for (const HmacSha1Job& job : jobs) {
            std::size_t written = 0;
            EVP_MAC_init(peer.get(), nullptr, 0, nullptr);
            EVP_MAC_update(peer.get(), job.message.data(), job.message.size());
            EVP_MAC_final(peer.get(), job.digest->data(), &written, job.digest->size());
          }
        }
      });
}

// Seals or opens all packets in one batch call.
void gcm(benchmark::State& state, AesGcmKernel kernel, bool opening, std::size_t key_size,
         std::size_t size) {
  const auto key = pattern(key_size);
  AesGcm ours(key, kernel);
  const EvpCipher peer = evp_cipher(key_size == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(), key);
  PacketSlab plain(kPackets);
  PacketSlab sealed(kPackets);
  std::vector<GcmSealJob> seal_jobs;
  std::vector<GcmOpenJob> open_jobs;
  for (std::size_t i = 0; i < kPackets; ++i) {
    const GcmIv iv{static_cast<std::uint8_t>(i)};
    const ByteSpan packet = plain.slot(i);
    const ByteView header = packet.first(kRtpHeaderSize);
    const ByteSpan text = packet.subspan(kRtpHeaderSize, size);
    const ByteSpan out = sealed.slot(i).subspan(kRtpHeaderSize);
    seal_jobs.push_back({&ours, iv, header, text, out.data(), out.data() + size});
    open_jobs.push_back({&ours, iv, header, out.first(size), out.data() + size, text.data()});
  }
  gcm_seal(seal_jobs);
  const auto ours_once = [&] { opening ? gcm_open(open_jobs) : gcm_seal(seal_jobs); };
  run_paired(
      state, kOperations,
      [&] {
        for (int repeat = 0; repeat < kRepeats; ++repeat) ours_once();
      },
      [&] {
        for_each_packet([&](std::size_t i) {
          const GcmSealJob& job = seal_jobs[i];
          const auto in = opening ? ByteView(job.ciphertext, size) : job.plaintext;
          std::uint8_t* const out = opening ? open_jobs[i].plaintext : job.ciphertext;
          int written = 0;
          EVP_CipherInit_ex(peer.get(), nullptr, nullptr, nullptr, job.iv.data(), opening ? 0 : 1);
          EVP_CipherUpdate(peer.get(), nullptr, &written, job.associated_data.data(),
                           static_cast<int>(job.associated_data.size()));
          EVP_CipherUpdate(peer.get(), out, &written, in.data(), static_cast<int>(size));
          if (opening) {
            EVP_CIPHER_CTX_ctrl(peer.get(), EVP_CTRL_AEAD_SET_TAG, kGcmTagSize, job.tag);
          }
          EVP_CipherFinal_ex(peer.get(), out, &written);
          if (!opening) {
            EVP_CIPHER_CTX_ctrl(peer.get(), EVP_CTRL_AEAD_GET_TAG, kGcmTagSize, job.tag);
          }
        });
      });
}

template <typename Function, typename... Arguments>
void add(const std::vector<std::string>& name, Function function, Arguments... arguments) {
  std::string joined;
  for (const std::string& part : name) joined.append(joined.empty() ? "" : "/").append(part);
  benchmark::RegisterBenchmark(joined.c_str(), [=](benchmark::State& state) {
    function(state, arguments...);
  })->UseManualTime();
}

template <typename Kernels>
auto supported(const Kernels& kernels) {
  std::vector<typename Kernels::value_type> result;
  for (const auto kernel : kernels) {
    if (is_supported(kernel)) result.push_back(kernel);
  }
  return result;
}

std::string text(auto kernel) {
  return std::string(to_string(kernel));
}
std::string text(std::size_t number) {
  return std::to_string(number);
}

bool register_all() {
  for (const std::size_t key_size : {16uz, 32uz}) {
    for (const std::size_t size : {160uz, 1200uz}) {
      const std::string cipher = "aes_" + text(key_size * 8);
      for (const AesCtrKernel kernel : supported(kAesCtrKernels)) {
        add({cipher + "_ctr", text(kernel), text(size)}, aes_ctr, kernel, key_size, size);
      }
      for (const AesGcmKernel kernel : supported(kAesGcmKernels)) {
        add({cipher + "_gcm", text(kernel), "seal", text(size)}, gcm, kernel, false, key_size,
            size);
        add({cipher + "_gcm", text(kernel), "open", text(size)}, gcm, kernel, true, key_size, size);
      }
    }
  }
  for (const std::size_t size : {8uz, 128uz, 2048uz, 32768uz}) {
    add({"xor", "chosen", text(size)}, xor_bytes_of, std::nullopt, size);
    for (const XorKernel kernel : supported(kXorKernels)) {
      add({"xor", text(kernel), text(size)}, xor_bytes_of, kernel, size);
    }
  }
  for (const std::size_t size : {176uz, 1216uz}) {
    for (const std::size_t batch :
         {1uz, 2uz, 3uz, 4uz, 6uz, 7uz, 8uz, 16uz, 20uz, 24uz, 32uz, 48uz}) {
      const std::string jobs = "batch:" + text(batch);
      add({"hmac_sha1", "chosen", text(size), jobs}, hmac, std::nullopt, size, batch);
      for (const HmacSha1Kernel kernel : supported(kHmacSha1Kernels)) {
        add({"hmac_sha1", text(kernel), text(size), jobs}, hmac, kernel, size, batch);
      }
    }
  }
  return true;
}

// Before main(), which is Google Benchmark's.
[[maybe_unused]] const bool registered = register_all();

}  // namespace

#include "core/crypto/aes_gcm.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "tests/unit/core/crypto/guarded_buffer.h"
#include "tests/unit/core/crypto/hex.h"
#include "tests/unit/core/crypto/openssl_reference.h"

namespace runnel::crypto {
namespace {

using test::evp_aes_gcm;
using test::GuardedBuffer;
using test::hex;
using test::hex_array;
using test::noise;

constexpr std::size_t kMaxSize = 2100;

class AesGcmKernels : public testing::TestWithParam<AesGcmKernel> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor does not support " << to_string(GetParam());
    }
  }

  // Ciphertext, then the tag.
  std::vector<std::uint8_t> seal(AesGcm& key, const GcmIv& iv, ByteView associated_data,
                                 ByteView plaintext) const {
    std::vector<std::uint8_t> sealed(plaintext.size() + kGcmTagSize);
    const GcmSealJob job{
        &key, iv, associated_data, plaintext, sealed.data(), sealed.data() + plaintext.size()};
    gcm_seal({&job, 1});
    return sealed;
  }

  // Nothing where the tag is wrong.
  std::optional<std::vector<std::uint8_t>> open(AesGcm& key, const GcmIv& iv,
                                                ByteView associated_data, ByteView sealed) const {
    const std::size_t size = sealed.size() - kGcmTagSize;
    std::vector<std::uint8_t> plaintext(size);
    GcmOpenJob job{
        &key, iv, associated_data, sealed.first(size), sealed.data() + size, plaintext.data()};
    gcm_open({&job, 1});
    if (!job.authentic) return std::nullopt;
    return plaintext;
  }

  void expect_vector(std::string_view key, std::string_view iv, std::string_view associated_data,
                     std::string_view plaintext, std::string_view ciphertext,
                     std::string_view tag) const {
    AesGcm cipher(hex(key), GetParam());
    auto expected = hex(ciphertext);
    for (const std::uint8_t byte : hex(tag)) expected.push_back(byte);
    EXPECT_EQ(seal(cipher, hex_array<12>(iv), hex(associated_data), hex(plaintext)), expected);
    EXPECT_EQ(open(cipher, hex_array<12>(iv), hex(associated_data), expected), hex(plaintext));
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, AesGcmKernels, testing::ValuesIn(kAesGcmKernels),
                         [](const auto& kernel) { return std::string(to_string(kernel.param)); });

// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B, as submitted to NIST. Cases
// 5 and 6, 17 and 18 have IVs of other lengths.
TEST_P(AesGcmKernels, NistTestCases1To4) {
  expect_vector("00000000000000000000000000000000", "000000000000000000000000", "", "", "",
                "58e2fccefa7e3061367f1d57a4e7455a");
  expect_vector("00000000000000000000000000000000", "000000000000000000000000", "",
                "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
                "ab6e47d42cec13bdf53a67b21257bddf");
  expect_vector("feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
                "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
                "4d5c2af327cd64a62cf35abd2ba6fab4");
  expect_vector("feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
                "5bc94fbc3221a5db94fae95ae7121a47");
}

TEST_P(AesGcmKernels, NistTestCases13To16) {
  constexpr std::string_view kZeroKey =
      "0000000000000000000000000000000000000000000000000000000000000000";
  constexpr std::string_view kKey =
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
  expect_vector(kZeroKey, "000000000000000000000000", "", "", "",
                "530f8afbc74536b9a963b4f1c4cb738b");
  expect_vector(kZeroKey, "000000000000000000000000", "", "00000000000000000000000000000000",
                "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919");
  expect_vector(kKey, "cafebabefacedbaddecaf888", "",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
                "b094dac5d93471bdec1a502270e3cc6c");
  expect_vector(kKey, "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                "76fc6ece0f4e1768cddf8853bb2d551b");
}

// The payload "Gallia est omnis divisa in partes tres", its RTP header as associated data.
TEST_P(AesGcmKernels, Rfc7714Sections161And171) {
  constexpr std::string_view kHeader = "8040f17b8041f8d35501a0b2";
  constexpr std::string_view kPlaintext =
      "47616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573";
  expect_vector("000102030405060708090a0b0c0d0e0f", "51753c6580c2726f20718414", kHeader, kPlaintext,
                "f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833",
                "899d7f27beb16a9152cf765ee4390cce");
  expect_vector("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "51753c6580c2726f20718414", kHeader, kPlaintext,
                "32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b",
                "7aa3db36dfffd6b0f9bb7878d7a76c13");
}

TEST_P(AesGcmKernels, EqualsOpensslForEveryLengthOfTextAndAssociatedData) {
  const auto text = noise(kMaxSize, 1);
  const auto associated_data = noise(100, 2);
  for (const std::size_t key_size : {16u, 32u}) {
    const auto key = noise(key_size, 3);
    AesGcm cipher(key, GetParam());
    for (std::size_t size = 0; size <= kMaxSize; ++size) {
      GcmIv iv;
      copy_bytes(iv, noise(12, size));
      for (const std::size_t aad_size :
           {std::size_t{0}, std::size_t{12}, size % 101, 100 - size * 7 % 101}) {
        const ByteView plaintext = ByteView(text).first(size);
        const ByteView aad = ByteView(associated_data).first(aad_size);
        const auto sealed = seal(cipher, iv, aad, plaintext);
        ASSERT_EQ(sealed, evp_aes_gcm(key, iv, aad, plaintext))
            << size << " bytes, " << aad_size << " of associated data";
        const auto opened = open(cipher, iv, aad, sealed);
        ASSERT_TRUE(opened && std::equal(opened->begin(), opened->end(), text.begin()))
            << size << " bytes, " << aad_size << " of associated data";
      }
    }
  }
}

TEST_P(AesGcmKernels, EveryLengthOfAssociatedDataWithShortText) {
  const auto text = noise(300, 1);
  const auto associated_data = noise(300, 2);
  const auto key = noise(16, 3);
  AesGcm cipher(key, GetParam());
  const GcmIv iv{1, 2, 3};
  for (std::size_t aad_size = 0; aad_size <= associated_data.size(); ++aad_size) {
    for (const std::size_t size : {0u, 1u, 15u, 16u, 17u, 64u, 65u, 255u, 256u, 257u, 300u}) {
      const ByteView plaintext = ByteView(text).first(size);
      const ByteView aad = ByteView(associated_data).first(aad_size);
      const auto sealed = seal(cipher, iv, aad, plaintext);
      ASSERT_EQ(sealed, evp_aes_gcm(key, iv, aad, plaintext)) << size << ", " << aad_size;
      ASSERT_TRUE(open(cipher, iv, aad, sealed)) << size << ", " << aad_size;
    }
  }
}

TEST_P(AesGcmKernels, WritesNothingOutsideAndWorksInPlace) {
  const auto text = noise(kMaxSize, 1);
  const auto key = noise(16, 2);
  AesGcm cipher(key, GetParam());
  const GcmIv iv{7};
  const auto aad = noise(12, 3);
  GuardedBuffer buffer(kMaxSize);
  for (std::size_t size = 0; size <= kMaxSize; size += size < 600 ? 1 : 13) {
    const ByteView plaintext = ByteView(text).first(size);
    const auto sealed = evp_aes_gcm(key, iv, aad, plaintext);
    for (std::size_t offset = size % 5; offset < 64; offset += 5) {
      std::array<std::uint8_t, kGcmTagSize> tag{};
      const ByteSpan area = buffer.area(size, offset);
      copy_bytes(area, plaintext);
      const GcmSealJob seal_job{&cipher, iv, aad, area, area.data(), tag.data()};
      gcm_seal({&seal_job, 1});
      ASSERT_TRUE(std::equal(area.begin(), area.end(), sealed.begin())) << size << ", " << offset;
      ASSERT_TRUE(std::equal(tag.begin(), tag.end(), sealed.end() - kGcmTagSize)) << size;
      GcmOpenJob open_job{&cipher, iv, aad, area, tag.data(), area.data()};
      gcm_open({&open_job, 1});
      ASSERT_TRUE(open_job.authentic) << size << ", " << offset;
      ASSERT_TRUE(std::equal(area.begin(), area.end(), text.begin())) << size << ", " << offset;
      ASSERT_TRUE(buffer.guards_are_intact()) << size << ", " << offset;
    }
  }
}

TEST_P(AesGcmKernels, AnyFlippedBitIsNoticed) {
  AesGcm cipher(noise(16, 1), GetParam());
  const GcmIv iv{9};
  const auto aad = noise(13, 2);
  for (const std::size_t size : {0u, 1u, 16u, 100u}) {
    const auto plaintext = noise(size, 3);
    const auto sealed = seal(cipher, iv, aad, plaintext);
    const auto flipped = [](std::vector<std::uint8_t> bytes, std::size_t bit) {
      bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1 << bit % 8));
      return bytes;
    };
    for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
      ASSERT_FALSE(open(cipher, iv, aad, flipped(sealed, bit))) << "bit " << bit;
    }
    for (std::size_t bit = 0; bit < aad.size() * 8; ++bit) {
      ASSERT_FALSE(open(cipher, iv, flipped(aad, bit), sealed)) << "bit " << bit << " of the AAD";
    }
    ASSERT_FALSE(open(cipher, GcmIv{8}, aad, sealed));
    ASSERT_TRUE(open(cipher, iv, aad, sealed));
  }
}

TEST_P(AesGcmKernels, AForgeryInABatchHarmsNoNeighbour) {
  constexpr std::size_t kCount = 20;
  std::vector<AesGcm> keys;
  std::vector<std::vector<std::uint8_t>> sealed;
  std::vector<std::vector<std::uint8_t>> opened;
  const auto aad = noise(12, 1);
  const auto text = [](std::size_t i) { return noise(i * 61, i); };
  for (std::size_t i = 0; i < kCount; ++i) {
    keys.emplace_back(noise(i % 2 == 0 ? 16 : 32, i), GetParam());
    sealed.push_back(seal(keys[i], GcmIv{static_cast<std::uint8_t>(i)}, aad, text(i)));
    opened.emplace_back(text(i).size());
    if (i % 3 == 0) sealed[i].back() ^= 1;
  }
  std::vector<GcmOpenJob> jobs;
  for (std::size_t i = 0; i < kCount; ++i) {
    const ByteView all(sealed[i]);
    jobs.push_back({&keys[i], GcmIv{static_cast<std::uint8_t>(i)}, aad,
                    all.first(all.size() - kGcmTagSize), all.last(kGcmTagSize).data(),
                    opened[i].data()});
  }
  gcm_open(jobs);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(jobs[i].authentic, i % 3 != 0) << i;
    if (i % 3 != 0) {
      EXPECT_EQ(opened[i], text(i)) << i;
    }
  }
}

// SSL_get_error() looks at OpenSSL's queue of the thread: a forged packet must not fail a
// handshake.
TEST_P(AesGcmKernels, AForgeryLeavesNoErrorInOpensslsQueue) {
  ERR_clear_error();
  AesGcm cipher(noise(16, 1), GetParam());
  EXPECT_FALSE(open(cipher, GcmIv{}, {}, noise(100, 2)));
  EXPECT_EQ(ERR_peek_error(), 0u);
}

TEST_P(AesGcmKernels, AMovedKeyWorksOn) {
  const auto key = noise(16, 1);
  const auto text = noise(100, 2);
  AesGcm first(key, GetParam());
  AesGcm second(std::move(first));
  AesGcm third(noise(32, 3), GetParam());
  third = std::move(second);
  EXPECT_EQ(seal(third, GcmIv{}, {}, text), evp_aes_gcm(key, GcmIv{}, {}, text));
}

TEST(AesGcm, TakesTheBestKernelByDefault) {
  const AesGcm cipher(ByteView(noise(16, 1)));
  EXPECT_EQ(cipher.kernel(), best_aes_gcm_kernel());
}

TEST(AesGcmDeathTest, AKeyOfAnotherLengthIsABug) {
  EXPECT_DEATH(AesGcm(ByteView(noise(24, 1))), "key.size");
}

}  // namespace
}  // namespace runnel::crypto

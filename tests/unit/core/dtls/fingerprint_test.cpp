// The text form of a fingerprint (RFC 8122 §5).
#include "core/dtls/fingerprint.h"

#include <cctype>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace runnel::dtls {
namespace {

// RFC 8122 §5's example of the form, with the lengths that the functions really have.
std::string hash_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += i == 0 ? "4A" : ":AD";
  return text;
}

TEST(Fingerprint, IsReadAndWritten) {
  for (const auto& [name, function, size] : {std::tuple{"sha-256", HashFunction::sha_256, 32},
                                             {"sha-384", HashFunction::sha_384, 48},
                                             {"sha-512", HashFunction::sha_512, 64}}) {
    const std::string text = std::string(name) + ' ' + hash_of(static_cast<std::size_t>(size));
    const auto fingerprint = Fingerprint::parse(text);
    ASSERT_TRUE(fingerprint) << text;
    EXPECT_EQ(fingerprint->function, function);
    EXPECT_EQ(fingerprint->bytes[0], 0x4a);
    EXPECT_EQ(fingerprint->bytes[1], 0xad);
    EXPECT_EQ(fingerprint->to_string(), text);
  }
}

TEST(Fingerprint, MayBeWrittenInLettersOfAnyCase) {
  std::string small = hash_of(32);
  for (char& c : small) c = static_cast<char>(std::tolower(c));
  EXPECT_EQ(Fingerprint::parse("SHA-256 " + small), Fingerprint::parse("sha-256 " + hash_of(32)));
}

TEST(Fingerprint, IsRefusedWhenItIsNotOne) {
  const std::string hash = hash_of(32);
  for (const std::string& text :
       {std::string(), std::string("sha-256"), std::string("sha-256 "), "sha-256" + hash,
        "sha-1 " + hash_of(20), "md5 " + hash_of(16), "sha-256 " + hash_of(31),
        "sha-256 " + hash_of(33), "sha-384 " + hash, "sha-256  " + hash, "sha-256 " + hash + " ",
        "sha-256 4G" + hash.substr(2), "sha-256 " + hash.substr(0, 2) + "-" + hash.substr(3),
        " sha-256 " + hash}) {
    EXPECT_FALSE(Fingerprint::parse(text)) << text;
  }
}

}  // namespace
}  // namespace runnel::dtls

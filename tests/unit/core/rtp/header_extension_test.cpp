#include "core/rtp/header_extension.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;

/// "id:data" for each element, then "malformed" if so.
std::string walk(std::uint16_t profile, const Bytes& data) {
  ExtensionReader reader(profile, data);
  std::string text;
  while (const auto element = reader.next()) {
    text += std::to_string(element->id) + ":" + to_hex(element->data) + " ";
  }
  EXPECT_FALSE(reader.next().has_value());
  return text + (reader.malformed() ? "malformed" : "");
}

std::string one_byte(const char* hex) {
  return walk(kOneByteExtensionProfile, from_hex(hex));
}
std::string two_byte(const char* hex) {
  return walk(kTwoByteExtensionProfile, from_hex(hex));
}

TEST(ExtensionReader, ReadsTheOneByteForm) {
  EXPECT_EQ(one_byte(""), "");
  EXPECT_EQ(one_byte("10aa21bbbb"), "1:aa 2:bbbb ");
  EXPECT_EQ(one_byte("ef00112233445566778899aabbccddeeff"), "14:00112233445566778899aabbccddeeff ");
}

TEST(ExtensionReader, ReadsTheTwoByteForm) {
  EXPECT_EQ(two_byte(""), "");
  EXPECT_EQ(two_byte("0100ff01aa0f02bbbb"), "1: 255:aa 15:bbbb ");
  EXPECT_EQ(walk(kTwoByteExtensionProfile + 15, from_hex("0101aa00")), "1:aa ");
}

TEST(ExtensionReader, SkipsPaddingBetweenAndBehindElements) {
  EXPECT_EQ(one_byte("00000010aa000020bb0000"), "1:aa 2:bb ");
  EXPECT_EQ(two_byte("00000101aa00000201bb00"), "1:aa 2:bb ");
  EXPECT_EQ(one_byte("00000000"), "");
  EXPECT_EQ(two_byte("00000000"), "");
}

// RFC 8285 §4.2: identifier 15 is reserved, and ends the processing; padding has no length.
TEST(ExtensionReader, StopsAtReservedIdentifiersOfTheOneByteForm) {
  EXPECT_EQ(one_byte("10aaf0bb20cc"), "1:aa ");
  EXPECT_EQ(one_byte("10aa01bbcc20dd"), "1:aa ");
}

TEST(ExtensionReader, SaysWhenAnElementRunsOverTheEnd) {
  EXPECT_EQ(one_byte("10aa2fbb"), "1:aa malformed");
  EXPECT_EQ(one_byte("10aa20"), "1:aa malformed");
  EXPECT_EQ(two_byte("0101aa02ffbb"), "1:aa malformed");
  EXPECT_EQ(two_byte("0101aa02"), "1:aa malformed");
  EXPECT_EQ(two_byte("0101aa0201"), "1:aa malformed");
}

TEST(ExtensionReader, FindsNothingUnderAnUnknownProfile) {
  EXPECT_EQ(walk(0xabcd, from_hex("10aa20bb")), "");
  EXPECT_EQ(walk(0, from_hex("10aa20bb")), "");
  EXPECT_EQ(walk(0x1010, from_hex("0101aa00")), "");
}

struct Written {
  std::optional<std::uint16_t> profile;
  std::string hex;
};

Written write(const std::vector<ExtensionElement>& elements, std::size_t room = 1000) {
  Bytes bytes(room);
  ByteWriter out(bytes);
  const auto profile = write_extension(elements, out);
  return {profile, to_hex(out.written())};
}

TEST(WriteExtension, PicksTheShorterFormThatFits) {
  const Bytes sixteen(16, 0x55);
  const Bytes seventeen(17, 0x55);
  EXPECT_EQ(write({}).profile, kOneByteExtensionProfile);
  EXPECT_EQ(write({}).hex, "");
  EXPECT_EQ(write({{1, from_hex("aa")}}).hex, "10aa0000");
  EXPECT_EQ(write({{1, sixteen}, {14, sixteen}}).profile, kOneByteExtensionProfile);
  EXPECT_EQ(write({{1, sixteen}, {15, sixteen}}).profile, kTwoByteExtensionProfile);
  EXPECT_EQ(write({{1, sixteen}, {2, seventeen}}).profile, kTwoByteExtensionProfile);
  const Written empty_element = write({{1, {}}, {2, from_hex("aa")}});
  EXPECT_EQ(empty_element.profile, kTwoByteExtensionProfile);
  EXPECT_EQ(empty_element.hex, "01000201aa000000");
}

TEST(WriteExtension, RefusesWhatNoFormCanExpress) {
  const Bytes longest(255);
  const Bytes too_long(256);
  EXPECT_FALSE(write({{0, from_hex("aa")}}).profile.has_value());
  EXPECT_TRUE(write({{1, longest}}).profile.has_value());
  EXPECT_FALSE(write({{1, too_long}}).profile.has_value());
}

TEST(WriteExtension, FillsAnExactFitAndRefusesOneByteLess) {
  const Bytes three = from_hex("aabbcc");
  const Bytes two = from_hex("aabb");
  EXPECT_EQ(write({{1, three}}, 4).hex, "12aabbcc");
  EXPECT_FALSE(write({{1, three}}, 3).profile.has_value());
  // Here it is the padding that does not fit.
  EXPECT_EQ(write({{1, two}}, 4).hex, "11aabb00");
  EXPECT_FALSE(write({{1, two}}, 3).profile.has_value());
}

TEST(WriteExtension, RefusesMoreThanTheLengthFieldCanSay) {
  const Bytes data(253);
  // 255 bytes each with their header; 1028 of them are 262,140 bytes, or 65,535 words.
  std::vector<ExtensionElement> elements(1028, ExtensionElement{1, data});
  EXPECT_TRUE(write(elements, 300'000).profile.has_value());
  elements.push_back({1, {}});
  EXPECT_FALSE(write(elements, 300'000).profile.has_value());
}

TEST(WriteExtension, AlignsToItsOwnBeginning) {
  Bytes bytes(20);
  ByteWriter out(bytes);
  out.u8(0xff);
  const Bytes data = from_hex("aa");
  const std::vector<ExtensionElement> elements{{1, data}};
  EXPECT_TRUE(write_extension(elements, out).has_value());
  EXPECT_EQ(to_hex(out.written()), "ff10aa0000");
}

TEST(WriteExtension, CarriesTheValuesOfKnownExtensions) {
  for (const json& vector : load_vectors("header_extension_values")) {
    SCOPED_TRACE(vector.at("ext"));
    const Bytes value = from_hex(vector.at("data").get<std::string>());
    const Written written = write({{7, value}, {200, value}});
    ASSERT_EQ(written.profile, kTwoByteExtensionProfile);
    const std::string hex = to_hex(value);
    EXPECT_EQ(walk(*written.profile, from_hex(written.hex)), "7:" + hex + " 200:" + hex + " ");

    const Written alone = write({{7, value}});
    EXPECT_EQ(alone.profile,
              value.size() <= 16 ? kOneByteExtensionProfile : kTwoByteExtensionProfile);
    EXPECT_EQ(walk(*alone.profile, from_hex(alone.hex)), "7:" + hex + " ");
  }
}

}  // namespace
}  // namespace runnel::rtp

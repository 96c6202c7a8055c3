#include "core/rtp/extension_rewriter.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/rtp/header_extension.h"
#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using Kind = ExtensionKind;
using Elements = std::map<std::uint8_t, std::string>;  // by id, as hexadecimal digits

constexpr OutgoingFields kFields{
    .payload_type = 45, .sequence_number = 777, .timestamp = {88888}, .ssrc = 0xcafe};
constexpr ExtensionStamps kStamps{.absolute_send_time = 0x123456, .transport_wide_number = 0xbeef};

ExtensionIds ids(std::initializer_list<std::pair<Kind, std::uint8_t>> pairs) {
  ExtensionIds ids;
  for (const auto& [kind, id] : pairs) ids.set(kind, id);
  return ids;
}

struct Source {
  std::vector<ExtensionElement> elements;
  std::vector<std::uint32_t> contributing_sources;
  bool marker = false;
  bool padding = false;
};

Bytes to_packet(const Source& source) {
  Bytes extension(2048);
  ByteWriter writer(extension);
  const auto profile = write_extension(source.elements, writer);
  Bytes packet(4096);
  const RtpHeader header{.marker = source.marker,
                         .padding = source.padding,
                         .payload_type = 96,
                         .sequence_number = 1,
                         .timestamp = {2},
                         .ssrc = 3,
                         .contributing_sources = source.contributing_sources,
                         .extension_profile = source.elements.empty() ? std::nullopt : profile,
                         .extension_data = source.elements.empty() ? ByteView{} : writer.written()};
  packet.resize(write_header(header, packet));
  packet.push_back(source.padding ? 1 : 0xff);
  return packet;
}

struct Written {
  Bytes header;
  std::uint16_t profile = 0;
  Elements elements;
};

Written rewrite(const Bytes& packet, const ExtensionIds& from, const ExtensionRewriter& rewriter) {
  const auto view = RtpPacketView::parse(packet).value();
  const auto parsed = ParsedExtensions::parse(view, from);
  Written written{Bytes(ExtensionRewriter::kMaxHeaderSize, 0xee), 0, {}};
  const std::size_t size = rewriter.write(packet, parsed, kFields, kStamps, written.header);
  EXPECT_LE(size, ExtensionRewriter::kMaxHeaderSize);
  written.header.resize(size);
  const auto out = RtpPacketView::parse(written.header);
  // The padding bit stays although there is no payload here.
  if (!out) return written;
  EXPECT_EQ(out->header().size(), size);
  written.profile = out->extension_profile();
  ExtensionReader reader(out->extension_profile(), out->extension_data());
  while (const auto element = reader.next()) {
    EXPECT_TRUE(written.elements.emplace(element->id, to_hex(element->data)).second);
  }
  EXPECT_FALSE(reader.malformed());
  return written;
}

const Bytes kLevel = {0x88};
const Bytes kRotation = {0x01};
const Bytes kCapture = from_hex("0102030405060708");
const Bytes kLongCapture = from_hex("01020304050607081112131415161718");
const Bytes kMid = {'a', 'u', 'd'};

TEST(ExtensionRewriter, ForwardsWhatIsTheMediasOwnUnderTheReceiversIds) {
  const Bytes packet = to_packet(
      {.elements = {{1, kLevel}, {2, kRotation}, {3, kLongCapture}, {4, kMid}, {9, kLevel}},
       .contributing_sources = {},
       .marker = true});
  const auto from = ids({{Kind::audio_level, 1},
                         {Kind::video_orientation, 2},
                         {Kind::absolute_capture_time, 3},
                         {Kind::mid, 4}});
  const ExtensionRewriter rewriter(ids({{Kind::audio_level, 14},
                                        {Kind::video_orientation, 5},
                                        {Kind::absolute_capture_time, 6},
                                        {Kind::mid, 7}}),
                                   "v0");
  const Written written = rewrite(packet, from, rewriter);
  EXPECT_EQ(written.profile, kOneByteExtensionProfile);
  EXPECT_EQ(written.elements,
            (Elements{{14, "88"}, {5, "01"}, {6, to_hex(kLongCapture)}, {7, "7630"}}));
  const auto out = RtpPacketView::parse(written.header).value();
  EXPECT_TRUE(out.marker());
  EXPECT_EQ(out.payload_type(), 45);
  EXPECT_EQ(out.sequence_number(), 777);
  EXPECT_EQ(out.timestamp().value, 88888u);
  EXPECT_EQ(out.ssrc(), 0xcafeu);
}

TEST(ExtensionRewriter, StampsTheConnectionsOwnWhateverTheSourceSaid) {
  const Bytes time = {1, 2, 3}, number = {4, 5};
  const Bytes packet =
      to_packet({.elements = {{1, time}, {2, number}}, .contributing_sources = {}});
  const auto both = ids({{Kind::absolute_send_time, 1}, {Kind::transport_wide_number, 2}});
  const ExtensionRewriter rewriter(both, "");
  EXPECT_TRUE(rewriter.numbers_packets());
  EXPECT_EQ(rewrite(packet, both, rewriter).elements, (Elements{{1, "123456"}, {2, "beef"}}));
  EXPECT_EQ(rewrite(to_packet({}), both, rewriter).elements,
            (Elements{{1, "123456"}, {2, "beef"}}));
}

TEST(ExtensionRewriter, EndsWhatTheReceiverHasNotAgreedOnAndWhatIsForTheRelayAlone) {
  const Bytes rid = {'h'};
  const auto all = ids({{Kind::rid, 1}, {Kind::repaired_rid, 2}, {Kind::audio_level, 3}});
  const Bytes packet =
      to_packet({.elements = {{1, rid}, {2, rid}, {3, kLevel}}, .contributing_sources = {5, 6}});
  const ExtensionRewriter rewriter(ids({{Kind::rid, 1}, {Kind::repaired_rid, 2}}), "0");
  EXPECT_FALSE(rewriter.numbers_packets());
  const Written written = rewrite(packet, all, rewriter);
  const auto out = RtpPacketView::parse(written.header).value();
  EXPECT_FALSE(out.has_extension());
  EXPECT_EQ(out.header().size(), kFixedHeaderSize + 8);
  EXPECT_EQ(out.contributing_source(1), 6u);
}

TEST(ExtensionRewriter, UsesTheTwoByteFormForAnIdAbove14Alone) {
  const auto from = ids({{Kind::audio_level, 200}});
  const Bytes packet = to_packet({.elements = {{200, kLevel}}, .contributing_sources = {}});
  const ExtensionRewriter low(ids({{Kind::audio_level, 14}, {Kind::rid, 15}}), "");
  EXPECT_EQ(rewrite(packet, from, low).profile, kOneByteExtensionProfile);
  const ExtensionRewriter high(ids({{Kind::audio_level, 15}, {Kind::mid, 2}}), "m");
  const Written written = rewrite(packet, from, high);
  EXPECT_EQ(written.profile, kTwoByteExtensionProfile);
  EXPECT_EQ(written.elements, (Elements{{15, "88"}, {2, "6d"}}));
}

TEST(ExtensionRewriter, DoesNotForwardWhatHasAnotherSizeThanItIsDefinedWith) {
  const Bytes two = {1, 2}, nine(9, 1), many(200, 1);
  const auto agreed =
      ids({{Kind::audio_level, 1}, {Kind::video_orientation, 2}, {Kind::absolute_capture_time, 3}});
  const ExtensionRewriter rewriter(agreed, "");
  const Bytes packet =
      to_packet({.elements = {{1, many}, {2, two}, {3, nine}}, .contributing_sources = {}});
  EXPECT_FALSE(RtpPacketView::parse(rewrite(packet, agreed, rewriter).header)->has_extension());
  const Bytes good = to_packet({.elements = {{3, kCapture}}, .contributing_sources = {}});
  EXPECT_EQ(rewrite(good, agreed, rewriter).elements, (Elements{{3, to_hex(kCapture)}}));
}

TEST(ExtensionRewriter, KeepsWithinItsBoundWithEverythingThatCanBeWritten) {
  const auto all = ids({{Kind::mid, 21},
                        {Kind::audio_level, 22},
                        {Kind::video_orientation, 23},
                        {Kind::absolute_send_time, 24},
                        {Kind::transport_wide_number, 25},
                        {Kind::absolute_capture_time, 26},
                        {Kind::color_space, 27}});
  const Bytes color = {1, 2, 3, 4};
  Source source{.elements = {{22, kLevel}, {23, kRotation}, {26, kLongCapture}, {27, color}},
                .contributing_sources = std::vector<std::uint32_t>(15, 9)};
  const ExtensionRewriter rewriter(all, "sixteen-letters!");
  const Written written = rewrite(to_packet(source), all, rewriter);
  EXPECT_EQ(written.header.size(), ExtensionRewriter::kMaxHeaderSize);
  EXPECT_EQ(written.elements.size(), 7u);
}

TEST(ExtensionRewriter, LeavesThePaddingBitToThePayloadThatItSpeaksOf) {
  const Bytes packet = to_packet({.elements = {}, .contributing_sources = {}, .padding = true});
  const Written written = rewrite(packet, {}, ExtensionRewriter({}, ""));
  EXPECT_EQ(written.header[0], 0xa0);
}

TEST(ParsedExtensions, HoldForACopyAndTakeTheFirstOfEachKind) {
  const Bytes other = {0x11};
  const Bytes packet =
      to_packet({.elements = {{1, kLevel}, {1, other}}, .contributing_sources = {}});
  const auto parsed = ParsedExtensions::parse(RtpPacketView::parse(packet).value(),
                                              ids({{Kind::audio_level, 1}, {Kind::mid, 2}}));
  const Bytes copy = packet;
  EXPECT_TRUE(parsed.has(Kind::audio_level));
  EXPECT_FALSE(parsed.has(Kind::mid));
  EXPECT_EQ(to_hex(parsed.data(copy, Kind::audio_level)), "88");
  EXPECT_TRUE(parsed.data(copy, Kind::mid).empty());
}

TEST(ParsedExtensions, OfEveryKnownPacketAreWhatItsElementsSay) {
  // Each element of each packet is looked at under each kind in turn.
  for (const nlohmann::json& vector : load_vectors("rtp")) {
    if (vector.at("expect") != "decode" || !vector.at("decoded").contains("elements")) continue;
    const nlohmann::json& elements = vector.at("decoded").at("elements");
    if (elements.is_null()) continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    for (const nlohmann::json& element : elements) {
      const auto parsed =
          ParsedExtensions::parse(RtpPacketView::parse(packet).value(),
                                  ids({{Kind::mid, element.at("id").get<std::uint8_t>()}}));
      std::string first;
      for (const nlohmann::json& each : elements) {
        if (each.at("id") == element.at("id") && first.empty()) first = each.at("data");
      }
      EXPECT_EQ(to_hex(parsed.data(packet, Kind::mid)), first);
    }
  }
}

TEST(ExtensionRewriter, ForAnyAgreementWritesJustWhatBothHaveAgreedOn) {
  std::mt19937 random(4);
  const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  for (int round = 0; round < 5000; ++round) {
    const bool wide = draw(4) == 0;
    const auto draw_ids = [&] {
      std::array<std::uint8_t, 14> pool;
      for (std::size_t i = 0; i < pool.size(); ++i) {
        pool[i] = static_cast<std::uint8_t>(i + (wide ? 10 : 1));
      }
      std::shuffle(pool.begin(), pool.end(), random);
      ExtensionIds drawn;
      for (std::size_t i = 0; i < kExtensionKindCount; ++i) {
        if (draw(3) != 0) drawn.set(static_cast<Kind>(i), pool[i]);
      }
      return drawn;
    };
    const ExtensionIds from = draw_ids(), to = draw_ids();
    Source source;
    source.contributing_sources.resize(draw(16), 77);
    const auto maybe = [&](Kind kind, const Bytes& data) {
      if (draw(2) == 0 && from.has(kind)) source.elements.push_back({from[kind], data});
      return !source.elements.empty() && source.elements.back().data.data() == data.data();
    };
    const Bytes& capture = draw(2) == 0 ? kCapture : kLongCapture;
    Elements expected;
    const auto expect_if = [&](bool present, Kind kind, const std::string& data) {
      if (present && to.has(kind)) expected[to[kind]] = data;
    };
    expect_if(maybe(Kind::audio_level, kLevel), Kind::audio_level, "88");
    expect_if(maybe(Kind::video_orientation, kRotation), Kind::video_orientation, "01");
    expect_if(maybe(Kind::absolute_capture_time, capture), Kind::absolute_capture_time,
              to_hex(capture));
    maybe(Kind::mid, kMid);
    maybe(Kind::rid, kMid);
    const std::string mid(draw(ExtensionRewriter::kMaxMidSize + 1), 'x');
    expect_if(!mid.empty(), Kind::mid,
              to_hex({reinterpret_cast<const std::uint8_t*>(mid.data()), mid.size()}));
    expect_if(true, Kind::absolute_send_time, "123456");
    expect_if(true, Kind::transport_wide_number, "beef");
    ASSERT_EQ(rewrite(to_packet(source), from, ExtensionRewriter(to, mid)).elements, expected);
  }
}

TEST(AbsoluteSendTime, CountsSecondsWith18BitsBehindThePointAndWrapsAfter64) {
  using std::chrono::milliseconds;
  EXPECT_EQ(absolute_send_time(Timestamp(milliseconds(0))), 0u);
  EXPECT_EQ(absolute_send_time(Timestamp(milliseconds(1500))), 0x060000u);
  EXPECT_EQ(absolute_send_time(Timestamp(milliseconds(64'250))), 0x010000u);
  EXPECT_EQ(absolute_send_time(Timestamp(milliseconds(63'999))), 0xfffef9u);
  EXPECT_EQ(absolute_send_time(Timestamp(milliseconds(-1000))), 0xfc0000u);
}

}  // namespace
}  // namespace runnel::rtp

// RFC 4571: packets behind their length, in pieces of any size, longer ones cut.
#include "core/transport/stream_framing.h"

#include <algorithm>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace runnel::transport {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Bytes = std::vector<std::uint8_t>;

Bytes framed(const Bytes& packet) {
  const auto header = frame_header(packet.size());
  Bytes bytes(header.size() + packet.size());
  std::ranges::copy(packet, std::ranges::copy(header, bytes.begin()).out);
  return bytes;
}

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct Packet {
  Bytes bytes;
  bool truncated = false;
  friend bool operator==(const Packet&, const Packet&) = default;
};

/// What comes out when `stream` comes in pieces of `size`.
std::vector<Packet> read(const Bytes& stream, std::size_t size, FrameReader& reader) {
  std::vector<Packet> packets;
  for (ByteView rest = stream; !rest.empty();) {
    ByteView piece = rest.first(std::min(size, rest.size()));
    rest = rest.subspan(piece.size());
    while (const auto frame = reader.next(piece)) {
      packets.push_back({{frame->packet.begin(), frame->packet.end()}, frame->truncated});
    }
    EXPECT_TRUE(piece.empty());
  }
  return packets;
}

TEST(StreamFraming, AHeaderIsTheLengthInNetworkOrder) {
  EXPECT_THAT(frame_header(0), ElementsAre(0, 0));
  EXPECT_THAT(frame_header(0x1234), ElementsAre(0x12, 0x34));
  EXPECT_THAT(frame_header(kMaxFrameSize), ElementsAre(0xff, 0xff));
}

TEST(StreamFraming, PacketsComeOutWholeHoweverTheStreamIsCut) {
  const Bytes large(1'400, 7);
  const Bytes stream = joined({framed({1}), framed(large), framed({2, 3}), framed({4, 5, 6})});
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{700},
                                 std::size_t{1'403}, stream.size()}) {
    FrameReader reader(1'500);
    EXPECT_THAT(read(stream, size, reader),
                ElementsAre(Packet{{1}}, Packet{large}, Packet{{2, 3}}, Packet{{4, 5, 6}}))
        << size;
  }
}

TEST(StreamFraming, AWholePacketIsNotCopied) {
  const Bytes stream = framed({1, 2, 3});
  FrameReader reader(100);
  ByteView input = stream;
  const auto frame = reader.next(input);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->packet.data(), stream.data() + kFrameHeaderSize);
}

TEST(StreamFraming, OfAPacketThatIsTooLongTheRestIsSkipped) {
  const Bytes fits(10, 1);
  const Bytes longer(11, 2);
  const Bytes stream = joined({framed(fits), framed(longer), framed({3})});
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, stream.size()}) {
    FrameReader reader(10);
    EXPECT_THAT(read(stream, size, reader),
                ElementsAre(Packet{fits}, Packet{Bytes(10, 2), true}, Packet{{3}}))
        << size;
  }
}

TEST(StreamFraming, TheLongestOfAllIsNotKept) {
  const Bytes stream = joined({framed(Bytes(kMaxFrameSize, 9)), framed({1})});
  FrameReader reader(2'000);
  EXPECT_THAT(read(stream, 1'000, reader), ElementsAre(Packet{Bytes(2'000, 9), true}, Packet{{1}}));
}

TEST(StreamFraming, EmptyPacketsMeanNothing) {
  FrameReader reader(10);
  EXPECT_THAT(read(Bytes(8, 0), 3, reader), IsEmpty());
  EXPECT_THAT(read(framed({5}), 1, reader), ElementsAre(Packet{{5}}));
}

TEST(StreamFraming, KnowsTheShapeOfABindingRequest) {
  Bytes request{0x00, 0x01, 0x00, 0x04, 0x21, 0x12, 0xa4, 0x42};
  request.resize(24);
  EXPECT_TRUE(has_shape_of_binding_request(request));
  Bytes other = request;
  other[1] = 0x11;  // an indication
  EXPECT_FALSE(has_shape_of_binding_request(other));
  other = request;
  other[7] = 0x43;
  EXPECT_FALSE(has_shape_of_binding_request(other));
  other = request;
  other.push_back(0);
  EXPECT_FALSE(has_shape_of_binding_request(other));
  EXPECT_FALSE(has_shape_of_binding_request(ByteView(request).first(19)));
  EXPECT_FALSE(has_shape_of_binding_request({}));
}

}  // namespace
}  // namespace runnel::transport

#include "core/frames/drop_gate.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

constexpr std::size_t kPlenty = 1 << 20;
constexpr std::size_t kReserve = 1000;
constexpr std::size_t kPacket = rtp::kFixedHeaderSize + 2;  // what a packet of these tests takes

const Bytes kKey = {0x10, 0x00};
const Bytes kDelta = {0x10, 0x01};
const Bytes kMore = {0x00, 0x55};
const Bytes kUnneeded = {0x30, 0x01};
const Bytes kMoreUnneeded = {0x20, 0x55};

/// Layered VP8: X with T; the temporal layer and Y.
Bytes layered(int temporal_layer, bool sync = false, bool non_reference = false) {
  return {static_cast<std::uint8_t>(non_reference ? 0xb0 : 0x90), 0x20,
          static_cast<std::uint8_t>(temporal_layer << 6 | (sync ? 0x20 : 0)), 0x01};
}

/// A gate, and packets of one track that are numbered as they are offered.
class Track {
 public:
  explicit Track(Format format = Format::vp8) : gate(format, {.reserve = kReserve}) {}

  GateDecision offer(std::uint32_t frame, const Bytes& payload, std::size_t room = kPlenty) {
    return offer(next_++, frame, payload, room);
  }
  GateDecision offer(std::uint16_t sequence_number, std::uint32_t frame, const Bytes& payload,
                     std::size_t room) {
    const Bytes packet = to_packet({sequence_number, frame * 3000, false, payload});
    return gate.packet(view(packet), room, 0);
  }

  DropGate gate;

 private:
  std::uint16_t next_ = 1;
};

TEST(DropGate, LetsEverythingThroughWhileThereIsRoom) {
  Track track;
  for (std::uint32_t frame = 0; frame < 10; ++frame) {
    const GateDecision decision = track.offer(frame, frame == 0 ? kKey : kDelta);
    EXPECT_TRUE(decision.send());
    EXPECT_FALSE(decision.discontinuity);
    EXPECT_FALSE(decision.request_key_frame);
  }
  EXPECT_EQ(track.gate.dropped(), 0u);
}

TEST(DropGate, BeginsAFrameOnlyWithTheReserveToSpare) {
  Track enough;
  EXPECT_TRUE(enough.offer(0, kKey, kPacket + kReserve).send());
  Track one_less;
  EXPECT_EQ(one_less.offer(0, kKey, kPacket + kReserve - 1).dropped, GateDrop::no_room);
}

TEST(DropGate, CompletesAFrameOutOfTheReserve) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_TRUE(track.offer(0, kMore, kPacket).send());
  EXPECT_TRUE(track.offer(0, kMore, kPacket).send());
  EXPECT_EQ(track.offer(0, kMore, kPacket - 1).dropped, GateDrop::unfinished_frame);
  EXPECT_EQ(track.offer(0, kMore).dropped, GateDrop::unfinished_frame) << "nothing of it any more";
  EXPECT_TRUE(track.gate.waiting_for_key_frame());
}

TEST(DropGate, NeverSendsTheRestOfAFrameThatWasNotBegun) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_EQ(track.offer(1, kDelta, 0).dropped, GateDrop::no_room);
  EXPECT_EQ(track.offer(1, kMore).dropped, GateDrop::no_room);
  EXPECT_EQ(track.gate.dropped(GateDrop::no_room), 2u);
}

TEST(DropGate, SendsNothingAfterADroppedFrameUntilTheNextKeyFrame) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_FALSE(track.offer(1, kDelta, 0).send());
  EXPECT_EQ(track.offer(2, kDelta).dropped, GateDrop::waiting_for_key_frame);
  EXPECT_EQ(track.offer(2, kMore).dropped, GateDrop::waiting_for_key_frame);
  const GateDecision key = track.offer(3, kKey);
  EXPECT_TRUE(key.send());
  EXPECT_TRUE(key.discontinuity);
  EXPECT_FALSE(track.offer(3, kMore).discontinuity);
  EXPECT_TRUE(track.offer(4, kDelta).send());
}

TEST(DropGate, AsksForAKeyFrameOnceAndOnlyWhenThereIsRoomForIt) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_FALSE(track.offer(1, kDelta, 0).request_key_frame);
  EXPECT_FALSE(track.offer(2, kDelta, kReserve).request_key_frame);
  EXPECT_TRUE(track.offer(3, kDelta).request_key_frame);
  EXPECT_FALSE(track.offer(3, kMore).request_key_frame);
  EXPECT_FALSE(track.offer(4, kDelta).request_key_frame);
}

TEST(DropGate, AsksAgainWhenTheKeyFrameCouldNotBeSentOrDoesNotCome) {
  Track track;
  EXPECT_FALSE(track.offer(0, kKey, 0).send());
  EXPECT_TRUE(track.offer(1, kDelta).request_key_frame);
  EXPECT_FALSE(track.offer(2, kKey, 0).request_key_frame);
  EXPECT_TRUE(track.offer(3, kDelta).request_key_frame);
  int requests = 0;
  for (std::uint32_t frame = 4; frame < 4 + 180; ++frame) {
    requests += track.offer(frame, kDelta).request_key_frame ? 1 : 0;
  }
  EXPECT_EQ(requests, 3) << "every 60 frames";
}

TEST(DropGate, BeginsAKeyFrameOnlyWithRoomForOneAsLargeAsTheLastOne) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  for (int i = 1; i < 100; ++i) EXPECT_TRUE(track.offer(0, kMore).send());
  EXPECT_FALSE(track.offer(1, kDelta, 0).send());
  constexpr std::size_t kEnough = 100 * kPacket + kReserve;
  EXPECT_FALSE(track.offer(2, kDelta, kEnough - 1).request_key_frame);
  EXPECT_FALSE(track.offer(3, kKey, kEnough - 1).send());
  EXPECT_TRUE(track.offer(4, kDelta, kEnough - 1).request_key_frame) << "the last one was small";
  EXPECT_TRUE(track.offer(5, kKey, kPacket + kReserve).send());
}

TEST(DropGate, BeginsAKeyFrameWithHalfOfTheQueueEmptyHoweverLargeTheLastOneWas) {
  constexpr std::size_t kQueue = kReserve + 400;
  Track track;
  EXPECT_TRUE(track.offer(0, kKey, kQueue).send());
  for (int i = 1; i < 100; ++i) EXPECT_TRUE(track.offer(0, kMore, kQueue).send());
  EXPECT_FALSE(track.offer(1, kDelta, 0).send());
  EXPECT_FALSE(track.offer(2, kDelta, kReserve + 199).request_key_frame);
  EXPECT_TRUE(track.offer(3, kDelta, kReserve + 200).request_key_frame);
  EXPECT_TRUE(track.offer(4, kKey, kReserve + 200).send());
}

TEST(DropGate, GoesOnAfterAFrameThatNothingNeeds) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_FALSE(track.offer(1, kUnneeded, 0).send());
  const GateDecision next = track.offer(2, kDelta);
  EXPECT_TRUE(next.send());
  EXPECT_TRUE(next.discontinuity);
  EXPECT_TRUE(track.offer(3, kUnneeded).send());
  EXPECT_FALSE(track.offer(3, kMoreUnneeded, 0).send());
  EXPECT_TRUE(track.offer(4, kDelta).send());
}

TEST(DropGate, KeepsLowerLayersWhenAFrameOfAnUpperOneIsDropped) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  EXPECT_FALSE(track.offer(1, layered(1), 0).send());
  EXPECT_EQ(track.offer(2, layered(2)).dropped, GateDrop::waiting_for_layer);
  EXPECT_TRUE(track.offer(3, layered(0)).send());
  EXPECT_EQ(track.offer(4, layered(1)).dropped, GateDrop::waiting_for_layer);
  EXPECT_TRUE(track.offer(5, layered(1, true)).send()) << "needs the base layer only";
  EXPECT_EQ(track.offer(6, layered(2)).dropped, GateDrop::waiting_for_layer);
  EXPECT_TRUE(track.offer(7, layered(2, true)).send());
  EXPECT_FALSE(track.gate.waiting_for_key_frame());
}

TEST(DropGate, LetsUpperLayersOfVp9GoOnBehindASwitchingPoint) {
  // I, P, L, B; TID and U; TL0PICIDX.
  const auto picture = [](int temporal_layer, bool switching_up) {
    return Bytes{0xe8, 1, static_cast<std::uint8_t>(temporal_layer << 5 | (switching_up ? 16 : 0)),
                 0, 0xff};
  };
  Track track(Format::vp9);
  EXPECT_TRUE(track.offer(0, {0x88, 1, 0xff}).send());
  EXPECT_FALSE(track.offer(1, picture(1, false), 0).send());
  EXPECT_TRUE(track.offer(2, picture(0, false)).send());
  EXPECT_FALSE(track.offer(3, picture(2, false)).send());
  EXPECT_TRUE(track.offer(4, picture(0, true)).send());
  EXPECT_TRUE(track.offer(5, picture(2, false)).send());
}

TEST(DropGate, FinishesAFrameWhoseLastPacketComesBehindTheNextFrame) {
  Track track;
  EXPECT_TRUE(track.offer(1, 0, kKey, kPlenty).send());
  EXPECT_TRUE(track.offer(3, 1, kDelta, kPlenty).send());
  EXPECT_TRUE(track.offer(2, 0, kMore, kPacket).send());
  EXPECT_TRUE(track.offer(4, 1, kMore, kPacket).send());
}

TEST(DropGate, DropsPacketsOfFramesLongGone) {
  Track track;
  EXPECT_TRUE(track.offer(5, 0, kKey, kPlenty).send());
  EXPECT_TRUE(track.offer(6, 1, kDelta, kPlenty).send());
  EXPECT_TRUE(track.offer(7, 2, kDelta, kPlenty).send());
  EXPECT_EQ(track.offer(4, 9, kMore, kPlenty).dropped, GateDrop::late);
}

TEST(DropGate, TakesAccessUnitsInDecodingOrderWhateverTheirTime) {
  // I0 P3 B1 B2, as H.264 sends them.
  Track track(Format::h264);
  EXPECT_TRUE(track.offer(0, {0x67, 0x42}).send());
  EXPECT_TRUE(track.offer(3, {0x41, 0x9a}).send());
  EXPECT_TRUE(track.offer(1, {0x01, 0x9a}).send());
  EXPECT_FALSE(track.offer(2, {0x01, 0x9a}, 0).send()) << "no picture needs it";
  EXPECT_TRUE(track.offer(6, {0x41, 0x9a}).send());
}

TEST(DropGate, BeginsAKeyFrameBehindItsAccessUnitDelimiter) {
  Track track(Format::h264);
  track.gate.lose();
  EXPECT_FALSE(track.offer(0, {0x09, 0x10}).send());
  EXPECT_TRUE(track.offer(0, {0x67, 0x42}).send());
  EXPECT_TRUE(track.offer(0, {0x65, 0x88}).send());
}

TEST(DropGate, DoesNotBeginAKeyFrameWithoutItsParameterSets) {
  Track track(Format::h264);
  EXPECT_FALSE(track.offer(0, {0x67, 0x42}, 0).send());
  EXPECT_FALSE(track.offer(0, {0x65, 0x88}).send());
}

TEST(DropGate, DropsAudioPacketByPacket) {
  Track track(Format::opus);
  EXPECT_TRUE(track.offer(0, {1, 2}, kPacket).send()) << "audio may use the reserve";
  EXPECT_EQ(track.offer(1, {1, 2}, kPacket - 1).dropped, GateDrop::no_room);
  const GateDecision next = track.offer(2, {1, 2}, kPacket);
  EXPECT_TRUE(next.send());
  EXPECT_TRUE(next.discontinuity);
  EXPECT_FALSE(track.offer(3, {1, 2}).discontinuity);
}

TEST(DropGate, DropsUnknownVideoByWholeFrames) {
  Track track(Format::other_video);
  EXPECT_TRUE(track.offer(0, {1, 2}).send());
  EXPECT_FALSE(track.offer(1, {1, 2}, 0).send());
  EXPECT_FALSE(track.offer(1, {1, 2}).send());
  EXPECT_TRUE(track.offer(2, {1, 2}).send());
}

TEST(DropGate, DropsWholeFrames) {
  DropGate gate(Format::vp8, {.reserve = kReserve});
  const Bytes bytes(100, 0);
  EncodedFrame key{.bytes = bytes, .role = {.key_frame = true}};
  EncodedFrame delta{.bytes = bytes};
  EXPECT_TRUE(gate.frame(key, 100 + kReserve, 0).send());
  EXPECT_EQ(gate.frame(delta, 99 + kReserve, 0).dropped, GateDrop::no_room);
  EXPECT_EQ(gate.frame(delta, kPlenty, 0).dropped, GateDrop::waiting_for_key_frame);
  EXPECT_TRUE(gate.frame(key, kPlenty, 0).discontinuity);
  delta.discontinuity = true;
  EXPECT_TRUE(gate.frame(delta, kPlenty, 0).discontinuity) << "the assembler's";
}

TEST(DropGate, WaitsForAKeyFrameAfterALossElsewhereAndForgetsAllWhenReset) {
  Track track;
  EXPECT_TRUE(track.offer(0, kKey).send());
  track.gate.lose();
  EXPECT_FALSE(track.offer(0, kMore).send());
  EXPECT_FALSE(track.offer(1, kDelta).send());
  track.gate.reset();
  const GateDecision next = track.offer(2, kDelta);
  EXPECT_TRUE(next.send());
  EXPECT_FALSE(next.discontinuity);
  EXPECT_EQ(track.gate.dropped(), 2u);
  EXPECT_EQ(to_string(GateDrop::waiting_for_layer), "waiting_for_layer");
}

/// A reader that takes bytes now and then, and a stream in three temporal layers: T0 T2 T1 T2.
TEST(DropGate, SendsOnlyWholeFramesThatCanBeDecodedToARandomReader) {
  constexpr int kLayers[] = {0, 2, 1, 2};
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned end) { return static_cast<std::size_t>(random() % end); };
    Track track;
    std::size_t room = 2000;
    // Of each layer, the last frame and whether all of it and of what it needs was sent.
    bool decodable[3] = {};
    std::size_t sent_frames = 0;
    for (std::uint32_t frame = 0; frame < 400; ++frame) {
      const int layer = kLayers[frame % 4];
      const bool key_frame = frame % 4 == 0 && (frame == 0 || below(12) == 0);
      const bool sync = layer > 0 && below(4) == 0;
      const std::size_t packets = 1 + below(40);
      std::size_t sent = 0;
      for (std::size_t i = 0; i < packets; ++i) {
        Bytes payload = key_frame ? kKey : layered(layer, sync, layer == 2);
        if (i > 0) payload[0] &= 0xef;
        if (track.offer(frame, payload, room).send()) {
          ASSERT_LE(payload.size() + rtp::kFixedHeaderSize, room);
          room -= payload.size() + rtp::kFixedHeaderSize;
          ++sent;
        }
      }
      room = std::min<std::size_t>(room + below(700), 2000);
      const bool whole = sent == packets;
      const bool references =
          key_frame || (sync ? decodable[0] : decodable[0] && (layer < 1 || decodable[1]));
      if (sent > 0) {
        ASSERT_TRUE(references) << seed << ' ' << frame;
      }
      sent_frames += whole ? 1 : 0;
      if (layer < 2) decodable[layer] = whole && references;
      if (key_frame) decodable[1] = whole;
      if (layer == 0 && !decodable[0]) decodable[1] = false;
    }
    EXPECT_GT(sent_frames, 20u) << seed;
  }
}

}  // namespace
}  // namespace runnel::frames

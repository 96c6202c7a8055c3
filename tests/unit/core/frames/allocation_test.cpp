// Assembling, packetizing and dropping allocate nothing once they are warm.
#include <gtest/gtest.h>

#include "core/frames/drop_gate.h"
#include "core/frames/frame_packetizer.h"
#include "tests/allocations/counting_allocator.h"
#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

Bytes h264_frame(std::uint8_t type) {
  Bytes frame = {0, 0, 0, 1, 0x67, 0x42, 0, 0, 0, 1, type};
  frame.resize(20'000, 0x77);
  return frame;
}

TEST(Frames, AllocateNothingOnceTheyAreWarm) {
  const rtp::Codec format = codec("H264/90000");
  FramePacketizer packetizer(format);
  DropGate gate(Format::h264);
  FrameAssembler assembler(format);
  const Bytes frame = h264_frame(0x65);
  Bytes held(1200);
  Bytes out(1200);
  std::size_t whole = 0;
  std::size_t before = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    if (i == 100) before = test::allocation_count();
    ASSERT_TRUE(packetizer.begin(frame, true, i * 20'000).has_value());
    // Pairs of packets in wrong order, but for the first one.
    std::size_t held_size = 0;
    std::size_t count = 0;
    while (const std::size_t size = packetizer.next(out)) {
      const auto packet = view(ByteView(out).first(size));
      ASSERT_TRUE(gate.packet(packet, 1 << 20).send());
      if (count++ % 2 == 1) {
        std::swap(held, out);
        held_size = size;
        continue;
      }
      assembler.push(packet);
      if (held_size != 0) assembler.push(view(ByteView(held).first(held_size)));
      held_size = 0;
      while (assembler.next()) ++whole;
    }
    if (held_size != 0) assembler.push(view(ByteView(held).first(held_size)));
    while (assembler.next()) ++whole;
  }
  EXPECT_EQ(whole, 200u);
  EXPECT_GT(before, 0u) << "so they are counted";
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace runnel::frames

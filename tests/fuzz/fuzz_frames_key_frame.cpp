// What a payload tells about its frame: no byte outside of it is read, and a key frame begins one.
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/frames/key_frame.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace runnel;
  for (int i = 0; i <= static_cast<int>(frames::Format::other_video); ++i) {
    const auto role = frames::packet_role(static_cast<frames::Format>(i), ByteView(data, size));
    RUNNEL_CHECK(!role.key_frame || role.start != frames::FrameStart::no);
    RUNNEL_CHECK(role.temporal_layer < 8);
  }
  return 0;
}

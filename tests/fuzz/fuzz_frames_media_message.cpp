// The binary media message: what was read is written again as it was, but for flags of a later
// time.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/frames/media_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace runnel;
  const ByteView message(data, size);
  const auto parsed = frames::parse_media_message(message);
  if (!parsed) return 0;
  RUNNEL_CHECK(!parsed->body.empty());
  RUNNEL_CHECK(parsed->header.size() + parsed->body.size() == size);
  const frames::MediaHeaderBytes written(parsed->header);
  RUNNEL_CHECK(written.view().size() == parsed->header.size());
  for (std::size_t i = 0; i < written.view().size(); ++i) {
    RUNNEL_CHECK(written.view()[i] == (i == 1 ? data[i] & 0x03 : data[i]));
  }
  return 0;
}

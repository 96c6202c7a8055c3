// The compressing half of permessage-deflate (RFC 7692 §7.2.1).
#include "core/base/check.h"
#include "core/websocket/permessage_deflate.h"
#include "core/websocket/zlib_stream.h"

namespace runnel::websocket {
namespace {

// What a flush ends with, and a message leaves out.
constexpr std::size_t kTailSize = 4;
// With less room than this a flush may be written twice (zlib.h, deflate()).
constexpr std::size_t kRoomForFlush = 64;

// zlib cannot compress raw with a window of 256 bytes. It can with 512 and then never looks back
// more than 512 - 262 bytes, so a peer with a window of 256 can read it.
constexpr int window_bits_for_zlib(std::uint8_t window_bits) noexcept {
  return std::max<int>(window_bits, 9);
}

}  // namespace

struct Deflater::Stream : ZlibStream {
  ~Stream() { deflateEnd(&z); }
};

Deflater::Deflater(std::uint8_t window_bits, bool context_takeover, DeflateEffort effort) noexcept
    : window_bits_(window_bits), context_takeover_(context_takeover), effort_(effort) {}
Deflater::~Deflater() = default;
Deflater::Deflater(Deflater&&) noexcept = default;
Deflater& Deflater::operator=(Deflater&&) noexcept = default;

bool Deflater::start() {
  auto stream = std::make_unique<Stream>();
  if (deflateInit2(&stream->z, effort_.level, Z_DEFLATED, -window_bits_for_zlib(window_bits_),
                   effort_.memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
    return false;
  }
  stream_ = std::move(stream);
  return true;
}

bool Deflater::compress(ByteView message, ByteBuffer& out) {
  if (message.empty()) {
    // An empty block (RFC 7692 §7.2.3.6); zlib does not flush twice with nothing between.
    const std::array<std::uint8_t, 1> empty_block{0x00};
    out.append(empty_block);
    return true;
  }
  if (!stream_ && !start()) return false;
  z_stream& z = stream_->z;
  while (!message.empty()) {
    stream_->set_input(message);
    const int flush = message.empty() ? Z_SYNC_FLUSH : Z_NO_FLUSH;
    do {
      const ByteSpan room = out.room(kRoomForFlush + z.avail_in / 2);
      stream_->set_output(room);
      const uInt offered = z.avail_out;
      const int result = deflate(&z, flush);
      RUNNEL_CHECK(result == Z_OK || result == Z_BUF_ERROR);
      out.grown(offered - z.avail_out);
    } while (z.avail_out == 0);
  }
  out.shorten(out.size() - kTailSize);
  if (!context_takeover_) deflateReset(&z);
  return true;
}

void Deflater::forget() noexcept {
  if (stream_) deflateReset(&stream_->z);
}

std::size_t Deflater::memory() const noexcept {
  return stream_ ? stream_->memory() + sizeof(Stream) : 0;
}

}  // namespace runnel::websocket

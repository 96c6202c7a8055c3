// The decompressing half of permessage-deflate (RFC 7692 §7.2.2).
#include "core/websocket/permessage_deflate.h"
#include "core/websocket/zlib_stream.h"

namespace runnel::websocket {
namespace {

// What the sender has left out at the end of the message.
constexpr std::array<std::uint8_t, 4> kTail{0x00, 0x00, 0xff, 0xff};
constexpr std::size_t kSmallestRoom = 512;
// In data_type after inflate(): it stands between two blocks (zlib.h).
constexpr int kBetweenBlocks = 128;

}  // namespace

struct Inflater::Stream : ZlibStream {
  ~Stream() { inflateEnd(&z); }

  bool is_message_empty = true;
  bool has_stream_ended = false;  // the last block had BFINAL, and nothing followed
};

Inflater::Inflater(std::uint8_t window_bits, bool context_takeover) noexcept
    : window_bits_(window_bits), context_takeover_(context_takeover) {}
Inflater::~Inflater() = default;
Inflater::Inflater(Inflater&&) noexcept = default;
Inflater& Inflater::operator=(Inflater&&) noexcept = default;

bool Inflater::start() {
  auto stream = std::make_unique<Stream>();
  if (inflateInit2(&stream->z, -static_cast<int>(window_bits_)) != Z_OK) return false;
  stream_ = std::move(stream);
  return true;
}

std::expected<void, Error> Inflater::decompress(ByteView piece, ByteBuffer& out,
                                                std::size_t max_size) {
  if (piece.empty()) return {};
  if (!stream_ && !start()) return std::unexpected(Error::invalid_compression);
  stream_->is_message_empty = false;
  z_stream& z = stream_->z;
  while (!piece.empty()) {
    stream_->set_input(piece);
    do {
      // One byte more than allowed shows that there is more.
      const std::size_t allowed = max_size + 1 - out.size();
      const ByteSpan room = out.room(std::min(allowed, kSmallestRoom));
      stream_->set_output(room.first(std::min(allowed, room.size())));
      const uInt offered = z.avail_out;
      const int result = inflate(&z, Z_SYNC_FLUSH);
      out.grown(offered - z.avail_out);
      if (out.size() > max_size) return std::unexpected(Error::message_too_big);
      stream_->has_stream_ended = result == Z_STREAM_END;
      if (result == Z_STREAM_END) {
        inflateResetKeep(&z);  // the window stays (RFC 7692 §7.2.3.4)
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return std::unexpected(Error::invalid_compression);
      }
    } while (z.avail_in != 0 || z.avail_out == 0);
  }
  return {};
}

std::expected<void, Error> Inflater::finish(ByteBuffer& out, std::size_t max_size) {
  // Some peers send no byte at all for an empty message, or end with BFINAL and nothing behind.
  if (stream_ && !stream_->is_message_empty && !stream_->has_stream_ended) {
    if (auto done = decompress(kTail, out, max_size); !done) return done;
    if ((stream_->z.data_type & kBetweenBlocks) == 0) {
      return std::unexpected(Error::invalid_compression);
    }
  }
  if (stream_) {
    stream_->is_message_empty = true;
    stream_->has_stream_ended = false;
    if (!context_takeover_) inflateReset(&stream_->z);
  }
  return {};
}

std::size_t Inflater::memory() const noexcept {
  return stream_ ? stream_->memory() + sizeof(Stream) : 0;
}

}  // namespace runnel::websocket

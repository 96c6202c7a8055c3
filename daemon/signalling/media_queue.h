// Framed packets that wait for a TCP connection to take them, as few and as fresh as they have to
// be for live media.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"

namespace runnel::daemon {

struct MediaQueueLimits {
  std::size_t media_bytes = 256 * 1024;           // as soon as more would wait, RTP is dropped
  std::size_t all_bytes = 320 * 1024;             // what there is for RTCP, STUN and DTLS as well
  Duration age = std::chrono::milliseconds(500);  // how long RTP may wait
};

/// When RTP has waited too long, or too much of it waits, all of it that has not begun to leave is
/// thrown away, and so is what comes until the queue is empty again, and after that the rest of
/// every frame of which a packet was lost: who reads slowly sees a gap and then the present. What
/// is no RTP is kept up to a limit of its own.
///
/// Keeps its memory while packets flow.
class MediaQueue {
 public:
  explicit MediaQueue(const MediaQueueLimits& limits) noexcept : limits_(limits) {}

  /// A packet of kMaxFrameSize bytes at most, which is copied. What it displaces, itself included,
  /// is appended to `dropped` by its owner.
  void push(Timestamp now, ByteView packet, std::uint32_t owner,
            std::vector<std::uint32_t>& dropped);

  /// All that waits, framed, as one piece. Valid until the next call that is not const.
  [[nodiscard]] ByteView waiting() const noexcept { return ByteView(bytes_).subspan(sent_); }
  /// The first `size` bytes have left.
  void consumed(std::size_t size) noexcept;
  [[nodiscard]] bool empty() const noexcept { return sent_ == bytes_.size(); }

 private:
  struct Entry {
    Timestamp since;
    std::uint32_t owner = 0;
    std::uint32_t size = 0;  // with its header
    bool is_media = false;
  };
  /// A frame of which something is missing at the reader.
  struct CutFrame {
    std::uint32_t ssrc = 0;
    std::uint32_t timestamp = 0;
    bool is_used = false;
  };

  [[nodiscard]] bool admits_media(ByteView packet) noexcept;
  [[nodiscard]] bool has_old_media(Timestamp now) const noexcept;
  void discard_media(std::vector<std::uint32_t>& dropped);
  void append(Timestamp now, ByteView packet, std::uint32_t owner, bool is_media);
  void cut(ByteView packet) noexcept;
  [[nodiscard]] bool is_cut(ByteView packet) const noexcept;
  void compact();

  MediaQueueLimits limits_;
  std::vector<std::uint8_t> bytes_;
  std::size_t sent_ = 0;  // of bytes_
  std::vector<Entry> entries_;
  std::size_t first_ = 0;       // of entries_
  std::size_t first_sent_ = 0;  // bytes of that entry
  bool is_dropping_ = false;
  std::array<CutFrame, 16> cut_frames_;  // one for each SSRC, the newest ones
  std::size_t next_cut_ = 0;
};

}  // namespace runnel::daemon

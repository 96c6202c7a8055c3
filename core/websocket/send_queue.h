// What one slow peer may make us hold: bytes that wait for its socket, under one strict limit.
//
// The owner of the socket writes directly as long as nothing waits (header and payload gathered),
// and only what the socket did not take is copied to here:
//
//   if (queue.admission(kind, size) != Admission::accepted) ...        drop, or close with 1013
//   std::size_t sent = queue.empty() ? writev(parts) : 0;
//   queue.append(kind, parts, sent);
//   ... and when the socket is writable: consumed(writev(gather(views)))
//
// With TLS the same, the parts being what the encryption made of them: ask for admission before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/bytes.h"

namespace runnel::websocket {

/// Messages by what their loss means. Under pressure media is refused first, then statistics; the
/// others are never lost without the connection.
enum class MessageClass : std::uint8_t { control, signalling, statistics, media };

enum class Admission : std::uint8_t {
  accepted,
  refused,    // media: drop this message whole, and what depends on it
  discarded,  // statistics: forget this message
  overflow,   // close the connection with 1013: the peer reads too slowly
};

struct SendQueueLimits {
  /// All that waits, in bytes. Media may fill three quarters of it, statistics seven eighths,
  /// signalling all but kControlReserve.
  std::size_t max_bytes = std::size_t{1} << 20;
  /// Memory that an empty queue keeps, in bytes.
  std::size_t kept_bytes = std::size_t{8} << 10;
};

/// A ring of bytes; whole messages go in, any number of bytes goes out. It takes no memory before
/// something waits, never more than max_bytes, and gives it back when nothing waits. Move-only.
class SendQueue {
 public:
  static constexpr std::size_t kControlReserve = 1024;

  struct Counters {
    std::uint64_t refused_media = 0;
    std::uint64_t discarded_statistics = 0;
    std::uint64_t overflows = 0;
    std::size_t most_bytes = 0;  // that ever waited
  };

  explicit SendQueue(const SendQueueLimits& limits) noexcept;

  /// Whether a message of `size` bytes, header included, may be sent now; counts refusals. A
  /// message that may be sent fits, whatever part of it the socket takes at once.
  [[nodiscard]] Admission admission(MessageClass kind, std::size_t size) noexcept;
  /// Copies an admitted message, less its first `sent` bytes, behind what waits. `sent` may be
  /// other than 0 only if nothing waited.
  void append(MessageClass kind, std::span<const ByteView> parts, std::size_t sent = 0);
  /// admission() and, if accepted, append() of a message of which nothing was sent.
  [[nodiscard]] Admission offer(MessageClass kind, std::span<const ByteView> parts);

  /// What waits, as views for writev() in their order; answers how many (0 to 2). Valid until the
  /// next change.
  [[nodiscard]] std::size_t gather(std::span<ByteView> out) const noexcept;
  /// The socket took this many bytes.
  void consumed(std::size_t bytes) noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Whether bytes of a `control` message wait.
  [[nodiscard]] bool holds_control() const noexcept { return control_left_ != 0; }
  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const noexcept { return capacity_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  void grow(std::size_t needed);
  void put(ByteView bytes) noexcept;

  SendQueueLimits limits_;
  std::unique_ptr<std::uint8_t[]> ring_;
  std::size_t capacity_ = 0;
  std::size_t head_ = 0;          // where what waits begins
  std::size_t size_ = 0;          // how much waits
  std::size_t control_left_ = 0;  // how much of it up to the end of the last control message
  Counters counters_;
};

/// The size of a message whose parts are gathered.
[[nodiscard]] inline std::size_t total_size(std::span<const ByteView> parts) noexcept {
  std::size_t size = 0;
  for (const ByteView part : parts) size += part.size();
  return size;
}

}  // namespace runnel::websocket

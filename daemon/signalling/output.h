// What waits to be sent on one connection: HTTP first, then WebSocket messages under their limit.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/bytes.h"
#include "core/websocket/send_queue.h"
#include "daemon/signalling/byte_stream.h"

namespace runnel::daemon {

/// Everything leaves in the order in which it was given. Messages are copied only as far as the
/// socket does not take them at once.
class Output {
 public:
  /// `stream` must outlive it.
  Output(ByteStream& stream, const websocket::SendQueueLimits& limits) noexcept
      : stream_(stream), limit_(limits.max_bytes), queue_(limits) {}

  /// Responses, heads included; before the first message only.
  void add(std::string_view http) { http_ += http; }
  [[nodiscard]] std::string& http() noexcept { return http_; }

  /// A message for the next flush.
  [[nodiscard]] websocket::Admission offer(websocket::MessageClass kind,
                                           std::span<const ByteView> parts) {
    return queue_.offer(kind, parts);
  }
  /// A message that leaves at once, together with what waits. At most kMostParts.
  static constexpr std::size_t kMostParts = 4;
  [[nodiscard]] websocket::Admission send(websocket::MessageClass kind,
                                          std::span<const ByteView> parts);
  /// Sends what waits as far as the socket takes it. Answers whether it took anything.
  bool flush();

  /// Bytes that wait, less what TLS has encrypted already.
  [[nodiscard]] std::size_t size() const noexcept { return http_.size() - sent_ + queue_.size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0 && !stream_.has_pending(); }
  /// Bytes of a media message, its frame header included, for which there is room.
  [[nodiscard]] std::size_t media_room() const noexcept;
  [[nodiscard]] const websocket::SendQueue& queue() const noexcept { return queue_; }

 private:
  [[nodiscard]] std::size_t write(std::span<const ByteView> behind);
  void consume(std::size_t size);

  ByteStream& stream_;
  std::size_t limit_;
  std::string http_;
  std::size_t sent_ = 0;  // of http_
  websocket::SendQueue queue_;
};

}  // namespace runnel::daemon

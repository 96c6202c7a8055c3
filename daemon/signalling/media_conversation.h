// Media on one TCP connection (ICE-TCP, RFC 6544): framed packets in, framed packets out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/transport/stream_framing.h"
#include "daemon/signalling/byte_stream.h"
#include "daemon/signalling/media_queue.h"

namespace runnel::daemon {

struct MediaSettings {
  MediaQueueLimits queue;
  /// Until when a peer has to have authenticated the connection by a STUN request, and how often it
  /// is asked about afterwards whether the peer is still there.
  Duration patience = std::chrono::seconds(10);
};

class MediaConversation {
 public:
  /// `stream` must outlive it.
  MediaConversation(ByteStream& stream, const MediaSettings& settings, Timestamp now);

  /// The next packet out of `input`, off which it is taken; see FrameReader. Nothing comes once it
  /// is refused.
  [[nodiscard]] std::optional<transport::StreamFrame> next(ByteSpan& input);
  /// It did not begin with a STUN request, and is to be closed.
  [[nodiscard]] bool is_refused() const noexcept { return is_refused_; }

  /// See MediaQueue::push. Leaves by the next flush.
  void send(Timestamp now, ByteView packet, std::uint32_t owner,
            std::vector<std::uint32_t>& dropped);
  /// Sends what waits as far as the socket takes it.
  void flush();
  [[nodiscard]] bool has_unsent() const noexcept { return !queue_.empty(); }

  /// When somebody has to look whether there is a peer behind it: then `confirm`, or the end.
  [[nodiscard]] Timestamp deadline() const noexcept { return deadline_; }
  void confirm(Timestamp now) noexcept { deadline_ = now + patience_; }

 private:
  ByteStream& stream_;
  transport::FrameReader reader_;
  MediaQueue queue_;
  Duration patience_;
  Timestamp deadline_;
  bool has_begun_ = false;
  bool is_refused_ = false;
};

}  // namespace runnel::daemon

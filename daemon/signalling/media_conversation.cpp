#include "daemon/signalling/media_conversation.h"

#include "core/base/packet_slab.h"

namespace runnel::daemon {
namespace {

// What the kernel holds is beyond our reach, and gets old there.
constexpr int kMostUnsentInKernel = 16 * 1024;
// More than that is offered to the socket at once and not at the end of the wake-up.
constexpr std::size_t kMostUnflushed = 64 * 1024;

}  // namespace

MediaConversation::MediaConversation(ByteStream& stream, const MediaSettings& settings,
                                     Timestamp now)
    : stream_(stream),
      reader_(kMaxDatagramSize),
      queue_(settings.queue),
      patience_(settings.patience),
      deadline_(now + settings.patience) {
  stream.limit_unsent(kMostUnsentInKernel);
}

std::optional<transport::StreamFrame> MediaConversation::next(ByteSpan& input) {
  if (is_refused_) return std::nullopt;
  ByteView rest = input;
  const auto frame = reader_.next(rest);
  input = input.last(rest.size());
  if (frame && !has_begun_) {
    has_begun_ = transport::has_shape_of_binding_request(frame->packet);
    is_refused_ = !has_begun_;
    if (is_refused_) return std::nullopt;
  }
  return frame;
}

void MediaConversation::send(Timestamp now, ByteView packet, std::uint32_t owner,
                             std::vector<std::uint32_t>& dropped) {
  queue_.push(now, packet, owner, dropped);
  if (queue_.waiting().size() > kMostUnflushed) flush();
}

void MediaConversation::flush() {
  while (!queue_.empty() && !stream_.is_blocked() && !stream_.has_failed()) {
    const ByteView waiting = queue_.waiting();
    const std::size_t taken = stream_.write({&waiting, 1});
    if (taken == 0) return;
    queue_.consumed(taken);
  }
}

}  // namespace runnel::daemon

#include "daemon/signalling/output.h"

#include <algorithm>
#include <array>

namespace runnel::daemon {

using websocket::Admission;

// One system call for all: what waits, then `behind`. How many bytes of both were taken.
std::size_t Output::write(std::span<const ByteView> behind) {
  std::array<ByteView, 3 + kMostParts> views;
  std::size_t count = 0;
  if (sent_ < http_.size()) {
    views[count++] = {reinterpret_cast<const std::uint8_t*>(http_.data()) + sent_,
                      http_.size() - sent_};
  }
  count += queue_.gather(std::span(views).subspan(count, 2));
  for (const ByteView part : behind) views[count++] = part;
  return stream_.write(std::span(views).first(count));
}

void Output::consume(std::size_t size) {
  const std::size_t of_http = std::min(size, http_.size() - sent_);
  sent_ += of_http;
  if (sent_ == http_.size() && sent_ != 0) {
    std::string().swap(http_);
    sent_ = 0;
  }
  if (size > of_http) queue_.consumed(size - of_http);
}

Admission Output::send(websocket::MessageClass kind, std::span<const ByteView> parts) {
  const Admission admission = queue_.admission(kind, websocket::total_size(parts));
  if (admission != Admission::accepted) return admission;
  const std::size_t before = size();
  const std::size_t taken = write(parts);
  consume(std::min(taken, before));
  const std::size_t sent = taken - std::min(taken, before);
  if (sent < websocket::total_size(parts)) queue_.append(kind, parts, sent);
  flush();
  return admission;
}

bool Output::flush() {
  bool has_moved = false;
  stream_.flush();
  while (size() > 0 && !stream_.is_blocked() && !stream_.has_failed()) {
    const std::size_t taken = write({});
    if (taken == 0) break;
    consume(taken);
    has_moved = true;
  }
  return has_moved;
}

std::size_t Output::media_room() const noexcept {
  const std::size_t share = limit_ / 4 * 3;
  return share > queue_.size() ? share - queue_.size() : 0;
}

}  // namespace runnel::daemon

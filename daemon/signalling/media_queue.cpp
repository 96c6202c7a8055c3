#include "daemon/signalling/media_queue.h"

#include <algorithm>

#include "core/transport/stream_framing.h"

namespace runnel::daemon {
namespace {

constexpr std::size_t kKeptWhenEmpty = 64 * 1024;

// RFC 7983 §7 and RFC 5761 §4. Whatever is no RTP steers the connection, and is little.
bool is_rtp(ByteView packet) noexcept {
  constexpr std::size_t kShortestRtp = 12;
  if (packet.size() < kShortestRtp || packet[0] < 128 || packet[0] > 191) return false;
  return packet[1] < 192 || packet[1] > 223;
}

// RFC 3550 §5.1. Both are in the clear also where the packet is encrypted.
std::uint32_t timestamp_of(ByteView packet) noexcept {
  return load_be32(packet.data() + 4);
}
std::uint32_t ssrc_of(ByteView packet) noexcept {
  return load_be32(packet.data() + 8);
}

}  // namespace

void MediaQueue::push(Timestamp now, ByteView packet, std::uint32_t owner,
                      std::vector<std::uint32_t>& dropped) {
  const bool is_media = is_rtp(packet);
  const std::size_t framed = transport::kFrameHeaderSize + packet.size();
  if (is_media && !is_dropping_ &&
      (waiting().size() + framed > limits_.media_bytes || has_old_media(now))) {
    discard_media(dropped);
    is_dropping_ = true;
  }
  const bool is_admitted =
      is_media ? admits_media(packet) : waiting().size() + framed <= limits_.all_bytes;
  if (is_admitted) return append(now, packet, owner, is_media);
  if (is_media) cut(packet);
  dropped.push_back(owner);
}

bool MediaQueue::admits_media(ByteView packet) noexcept {
  if (is_dropping_ && !empty()) return false;
  is_dropping_ = false;
  return !is_cut(packet);
}

bool MediaQueue::has_old_media(Timestamp now) const noexcept {
  const auto oldest =
      std::find_if(entries_.begin() + static_cast<std::ptrdiff_t>(first_), entries_.end(),
                   [](const Entry& entry) { return entry.is_media; });
  return oldest != entries_.end() && now - oldest->since > limits_.age;
}

void MediaQueue::append(Timestamp now, ByteView packet, std::uint32_t owner, bool is_media) {
  compact();
  const auto header = transport::frame_header(packet.size());
  bytes_.insert(bytes_.end(), header.begin(), header.end());
  bytes_.insert(bytes_.end(), packet.begin(), packet.end());
  entries_.push_back(
      {now, owner, static_cast<std::uint32_t>(header.size() + packet.size()), is_media});
}

// A packet that has begun to leave has to leave as a whole.
void MediaQueue::discard_media(std::vector<std::uint32_t>& dropped) {
  std::size_t read = sent_ - first_sent_;
  std::size_t written = read;
  std::size_t kept = first_;
  for (std::size_t i = first_; i < entries_.size(); ++i) {
    const Entry entry = entries_[i];
    const ByteView bytes = ByteView(bytes_).subspan(read, entry.size);
    read += entry.size;
    const bool has_begun = i == first_ && first_sent_ > 0;
    if (entry.is_media && !has_begun) {
      cut(bytes.subspan(transport::kFrameHeaderSize));
      dropped.push_back(entry.owner);
      continue;
    }
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(written));
    written += entry.size;
    entries_[kept++] = entry;
  }
  bytes_.resize(written);
  entries_.resize(kept);
}

void MediaQueue::consumed(std::size_t size) noexcept {
  sent_ += size;
  first_sent_ += size;
  while (first_ < entries_.size() && first_sent_ >= entries_[first_].size) {
    first_sent_ -= entries_[first_++].size;
  }
  if (!empty()) return;
  if (bytes_.capacity() > kKeptWhenEmpty) bytes_ = {};
  bytes_.clear();
  entries_.clear();
  sent_ = 0;
  first_ = 0;
}

// Moves what waits to the front once more than half of the memory has been sent.
void MediaQueue::compact() {
  const std::size_t gone = sent_ - first_sent_;
  if (gone < kKeptWhenEmpty || gone < bytes_.size() / 2) return;
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(gone));
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
  sent_ = first_sent_;
  first_ = 0;
}

void MediaQueue::cut(ByteView packet) noexcept {
  const std::uint32_t ssrc = ssrc_of(packet);
  auto place = std::ranges::find_if(
      cut_frames_, [&](const CutFrame& frame) { return frame.is_used && frame.ssrc == ssrc; });
  if (place == cut_frames_.end()) {
    place = cut_frames_.begin() + static_cast<std::ptrdiff_t>(next_cut_++ % cut_frames_.size());
  }
  *place = {ssrc, timestamp_of(packet), true};
}

bool MediaQueue::is_cut(ByteView packet) const noexcept {
  return std::ranges::any_of(cut_frames_, [&](const CutFrame& frame) {
    return frame.is_used && frame.ssrc == ssrc_of(packet) &&
           frame.timestamp == timestamp_of(packet);
  });
}

}  // namespace runnel::daemon

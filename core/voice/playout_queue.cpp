#include "core/voice/playout_queue.h"

#include <algorithm>
#include <utility>

namespace runnel::voice {
namespace {

constexpr std::size_t kKeptCapacity = 8192;  // about a second

}  // namespace

bool PlayoutQueue::push(Timestamp now, ByteView audio) {
  if (audio.size() > max_audio_ - waiting()) return false;
  // Whoever had nothing to play was silent until now.
  if (waiting() < kUsualSamples) free_at_ = std::max(free_at_, now);
  audio_.insert(audio_.end(), audio.begin(), audio.end());
  last_push_ = now;
  return true;
}

bool PlayoutQueue::push_mark(Timestamp now, std::string name) {
  if (marks_.size() >= max_marks_) return false;
  if (waiting() == 0) free_at_ = std::max(free_at_, now);
  marks_.push_back({played_ + waiting(), std::move(name)});
  return true;
}

std::vector<std::string> PlayoutQueue::clear() {
  std::vector<std::string> names;
  for (WaitingMark& mark : marks_) names.push_back(std::move(mark.name));
  marks_.clear();
  played_ += waiting();
  audio_ = {};
  head_ = 0;
  return names;
}

std::optional<Timestamp> PlayoutQueue::next_due() const noexcept {
  if (has_reached_mark() || waiting() >= kUsualSamples) return free_at_;
  if (waiting() > 0) return std::max(free_at_, last_push_ + kUsualTime);
  return std::nullopt;
}

std::optional<PlayoutQueue::Due> PlayoutQueue::next(Timestamp now) {
  const auto at = next_due();
  if (!at || *at > now) return std::nullopt;
  Due due;
  due.at = *at;
  if (has_reached_mark()) {
    due.mark = std::move(marks_.front().name);
    marks_.pop_front();
  } else {
    take(due);
  }
  return due;
}

void PlayoutQueue::take(Due& due) {
  due.size = std::min(waiting(), kUsualSamples);
  copy_bytes(due.audio, ByteView(audio_).subspan(head_, due.size));
  head_ += due.size;
  played_ += due.size;
  free_at_ = due.at + time_of(due.size);
  if (waiting() == 0) {
    audio_.clear();
    head_ = 0;
    // An utterance may have been long, and the next one far away.
    if (audio_.capacity() > kKeptCapacity) audio_.shrink_to_fit();
  } else if (head_ >= audio_.size() / 2) {
    audio_.erase(audio_.begin(), audio_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
}

}  // namespace runnel::voice

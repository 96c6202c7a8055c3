// What an agent has sent faster than it can be heard: audio and marks that wait for their time.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/voice/samples.h"

namespace runnel::voice {

/// Audio leaves in packets of kUsualSamples, one every 20 ms, in time with a clock of its own that
/// a late timer does not slow down. A shorter rest leaves when nothing has followed it for 20 ms.
/// A mark is reached when all audio before it has been heard to its end.
class PlayoutQueue {
 public:
  /// `max_audio` in samples.
  PlayoutQueue(std::size_t max_audio, std::size_t max_marks)
      : max_audio_(max_audio), max_marks_(max_marks) {}

  /// All or nothing; false: there is no room.
  [[nodiscard]] bool push(Timestamp now, ByteView audio);
  [[nodiscard]] bool push_mark(Timestamp now, std::string name);
  /// Forgets the audio, and answers all marks that waited.
  [[nodiscard]] std::vector<std::string> clear();

  /// When `next` will have something.
  [[nodiscard]] std::optional<Timestamp> next_due() const noexcept;

  struct Due {
    Timestamp at;                                   // when it should have happened; not after `now`
    std::optional<std::string> mark;                // reached, or
    std::array<std::uint8_t, kUsualSamples> audio;  // to be sent
    std::size_t size = 0;
  };
  /// The earliest that is due at `now`; to be called until it answers nullopt, and before anything
  /// is pushed.
  [[nodiscard]] std::optional<Due> next(Timestamp now);

 private:
  struct WaitingMark {
    std::uint64_t position;  // how much audio was pushed before it
    std::string name;
  };

  [[nodiscard]] std::size_t waiting() const noexcept { return audio_.size() - head_; }
  [[nodiscard]] bool has_reached_mark() const noexcept {
    return !marks_.empty() && marks_.front().position <= played_;
  }
  void take(Due& due);

  std::size_t max_audio_;
  std::size_t max_marks_;
  std::vector<std::uint8_t> audio_;
  std::size_t head_ = 0;  // where the waiting audio begins
  std::deque<WaitingMark> marks_;
  std::uint64_t played_ = 0;  // samples that have left, or were cleared
  Timestamp free_at_{};       // when what has left has been heard, and the next may leave
  Timestamp last_push_{};
};

}  // namespace runnel::voice

// RTCP that waits to be written: not packets, but what is to be said about which track.
#pragma once

#include <cstdint>
#include <vector>

namespace runnel::relay {

enum class ControlTask : std::uint8_t {
  reception_report = 1,           // to the source
  key_frame_request = 2,          // to the source
  goodbye_to_source = 4,          // to the source
  sender_reports = 8,             // to every receiver of the track
  overdue_sender_reports = 16,    // to those who have had none yet
  goodbyes = 32,                  // to every receiver that got packets
  negative_acknowledgement = 64,  // to the source, of what is missing
};

/// A track stands in the queue at most once, with all that is to be said about it, so that the
/// queue is bounded by the number of tracks and nothing in it can be lost. Never allocates after
/// `resize`.
class ControlQueue {
 public:
  class Tasks {
   public:
    [[nodiscard]] bool has(ControlTask task) const noexcept {
      return (bits_ & static_cast<std::uint8_t>(task)) != 0;
    }
    [[nodiscard]] bool empty() const noexcept { return bits_ == 0; }
    void add(ControlTask task) noexcept { bits_ |= static_cast<std::uint8_t>(task); }
    void remove(ControlTask task) noexcept {
      bits_ = static_cast<std::uint8_t>(bits_ & ~static_cast<std::uint8_t>(task));
    }

   private:
    std::uint8_t bits_ = 0;
  };

  void resize(std::size_t tracks) {
    tasks_.resize(tracks);
    waiting_.reserve(tracks);
  }
  void add(std::uint32_t track, ControlTask task) noexcept {
    if (tasks_[track].empty()) waiting_.push_back(track);
    tasks_[track].add(task);
  }

  [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
  /// The track that is dealt with now; the queue must not be empty.
  [[nodiscard]] std::uint32_t track() const noexcept { return waiting_.back(); }
  [[nodiscard]] Tasks tasks() const noexcept { return tasks_[track()]; }
  void done(ControlTask task) noexcept { tasks_[track()].remove(task); }
  /// All of the track's tasks are done.
  void pop() noexcept { waiting_.pop_back(); }
  /// The track is gone, and nothing is to be said about it any more.
  void forget(std::uint32_t track) noexcept {
    tasks_[track] = {};
    std::erase(waiting_, track);
  }

 private:
  std::vector<Tasks> tasks_;  // by track
  std::vector<std::uint32_t> waiting_;
};

}  // namespace runnel::relay

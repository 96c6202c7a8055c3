#include "core/voice/session.h"

#include <algorithm>
#include <utility>

#include "core/voice/client_message.h"
#include "core/voice/heard_audio.h"
#include "core/voice/playout_queue.h"
#include "core/voice/samples.h"
#include "core/voice/server_text.h"
#include "core/voice/spoken_audio.h"

namespace runnel::voice {
namespace {

using Outcome = std::expected<void, Error>;

// Audio follows audio in spite of such delays, as a network has them.
constexpr std::uint64_t kPlayoutTolerance = 60 * kSamplesPerMillisecond;
constexpr std::uint64_t kArrivalTolerance = 200 * kSamplesPerMillisecond;

std::unexpected<Error> refuse(ErrorCode code, std::string text) {
  return std::unexpected(Error{code, std::move(text)});
}

CallIdentity identity_of(const std::array<std::uint8_t, 16>& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const std::uint8_t byte : id) {
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 15];
  }
  // There is no account; programs look at the form, if at all.
  return {"MZ" + digits, "CA" + digits, "AC" + std::string(digits.size(), '0')};
}

std::size_t samples_of(std::chrono::milliseconds duration) {
  return static_cast<std::size_t>(duration.count()) * kSamplesPerMillisecond;
}

}  // namespace

class Session::State {
 public:
  State(Role role, Options options, Timestamp now)
      : role_(role),
        options_(std::move(options)),
        heard_(now),
        spoken_(options_),
        playout_(samples_of(options_.max_queue), options_.max_marks) {
    if (role_ == Role::agent) call_ = identity_of(options_.id);
  }

  void begin(Output& output) {
    if (role_ == Role::caller) return;
    output.texts.push_back(connected_text());
    output.texts.push_back(start_text(call_, ++sequence_number_, options_.stream));
  }

  Outcome receive(Timestamp now, std::string_view text, Output& output) {
    if (finished_) return {};
    if (text.size() > options_.max_message) {
      return refuse(ErrorCode::too_large, "the message is longer than " +
                                              std::to_string(options_.max_message) + " bytes");
    }
    auto message = parse_message(text);
    if (!message) return std::unexpected(std::move(message.error()));
    play(now, output);
    Outcome outcome = std::visit(
        [&](auto& event) {
          return role_ == Role::caller ? from_caller(now, event, output)
                                       : from_agent(now, event, output);
        },
        *message);
    play(now, output);
    return outcome;
  }

  void deliver(Timestamp now, ByteView packet, std::uint8_t payload_type, Output& output) {
    if (finished_) return;
    if (call_.stream_sid.empty()) {
      ++counters_.not_started;
      return;
    }
    const auto part = heard_.take(now, packet, payload_type, counters_);
    if (!part) return;
    output.texts.push_back(
        role_ == Role::caller
            ? reply_media_text(call_.stream_sid, part->audio)
            : media_text(call_, ++sequence_number_, {++chunk_, part->timestamp_ms, part->audio}));
  }

  void relay(const PeerEvent& event, Output& output) {
    if (finished_ || call_.stream_sid.empty()) return;
    if (role_ == Role::agent) {
      if (event.kind != PeerEvent::Kind::dtmf) return;
      output.texts.push_back(dtmf_text(call_, ++sequence_number_, event.value));
    } else if (event.kind == PeerEvent::Kind::mark) {
      output.texts.push_back(reply_mark_text(call_.stream_sid, event.value));
    } else if (event.kind == PeerEvent::Kind::clear) {
      output.texts.push_back(reply_clear_text(call_.stream_sid));
    }
  }

  void end(Output& output) {
    if (std::exchange(finished_, true) || role_ == Role::caller) return;
    output.texts.push_back(stop_text(call_, ++sequence_number_));
  }

  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept {
    return finished_ ? std::nullopt : playout_.next_due();
  }

  /// What of the agent's audio and marks is due.
  void play(Timestamp now, Output& output) {
    if (finished_) return;
    while (auto due = playout_.next(now)) {
      if (due->mark) {
        reach_mark(*due->mark, output);
        output.peer_events.push_back({PeerEvent::Kind::mark, std::move(*due->mark)});
        continue;
      }
      spoken_.move_to(position_at(due->at), kPlayoutTolerance);
      spoken_.append(ByteView(due->audio).first(due->size), output);
    }
  }

  [[nodiscard]] bool finished() const noexcept { return finished_; }
  [[nodiscard]] Role role() const noexcept { return role_; }
  [[nodiscard]] std::string_view stream_sid() const noexcept { return call_.stream_sid; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  // A caller speaks as Twilio does.

  Outcome from_caller(Timestamp, const Connected&, Output&) { return {}; }
  Outcome from_caller(Timestamp, Start& start, Output&) {
    if (!call_.stream_sid.empty()) return refuse(ErrorCode::out_of_turn, "start: is sent once");
    call_.stream_sid = std::move(start.stream_sid);
    return {};
  }
  Outcome from_caller(Timestamp now, const Media& media, Output& output) {
    if (auto turn = check_turn("media", media.stream_sid); !turn) return turn;
    if (!media.track.empty() && media.track != "inbound") {
      ++counters_.other_track;
      return {};
    }
    const std::size_t size = media.audio.size();
    if (size % kSamplesPerMillisecond != 0) {
      return refuse(ErrorCode::bad_message, "media.payload: is " + std::to_string(size) +
                                                " samples; send whole milliseconds, of 8 samples");
    }
    // Audio that has been taken and cannot have been spoken yet.
    const Timestamp begin = std::max(spoken_until_, now);
    if (begin - now + time_of(size) > options_.max_ahead) {
      ++counters_.too_early;
      return {};
    }
    spoken_until_ = begin + time_of(size);
    if (media.timestamp_ms) {
      if (!first_timestamp_ms_) first_timestamp_ms_ = *media.timestamp_ms;
      const std::uint64_t since =
          *media.timestamp_ms - std::min(*first_timestamp_ms_, *media.timestamp_ms);
      spoken_.move_to(since * kSamplesPerMillisecond, kUsualSamples);
    } else {
      spoken_.move_to(position_at(now), kArrivalTolerance);
    }
    spoken_.append(media.audio, output);
    return {};
  }
  Outcome from_caller(Timestamp, const Dtmf& dtmf, Output& output) {
    if (auto turn = check_turn("dtmf", ""); !turn) return turn;
    output.peer_events.push_back({PeerEvent::Kind::dtmf, std::string(1, dtmf.digit)});
    return {};
  }
  /// The agent was told by us, when its audio had been played towards the caller.
  Outcome from_caller(Timestamp, const Mark& mark, Output&) {
    return check_turn("mark", mark.stream_sid);
  }
  Outcome from_caller(Timestamp, const Stop&, Output&) {
    finished_ = true;
    return {};
  }
  template <typename Other>
  Outcome from_caller(Timestamp, const Other&, Output&) {
    ++counters_.unknown_events;
    return {};
  }

  // An agent is a voice program.

  Outcome from_agent(Timestamp now, const Media& media, Output&) {
    if (auto turn = check_turn("media", media.stream_sid); !turn) return turn;
    if (!media.audio.empty() && !playout_.push(now, media.audio)) ++counters_.queue_full;
    return {};
  }
  Outcome from_agent(Timestamp now, Mark& mark, Output&) {
    if (auto turn = check_turn("mark", mark.stream_sid); !turn) return turn;
    if (playout_.push_mark(now, std::move(mark.name))) return {};
    return refuse(ErrorCode::limit_reached, "more than " + std::to_string(options_.max_marks) +
                                                " marks wait for their playout");
  }
  Outcome from_agent(Timestamp, const Clear& clear, Output& output) {
    if (auto turn = check_turn("clear", clear.stream_sid); !turn) return turn;
    for (const std::string& name : playout_.clear()) reach_mark(name, output);
    output.peer_events.push_back({PeerEvent::Kind::clear, ""});
    return {};
  }
  template <typename Other>
  Outcome from_agent(Timestamp, const Other&, Output&) {
    ++counters_.unknown_events;
    return {};
  }

  /// Whether the stream has started, and is the one that is meant.
  [[nodiscard]] Outcome check_turn(std::string_view event, std::string_view stream_sid) const {
    if (call_.stream_sid.empty()) {
      return refuse(ErrorCode::out_of_turn, std::string(event) + ": comes before start");
    }
    if (stream_sid.empty() || stream_sid == call_.stream_sid) return {};
    return refuse(ErrorCode::bad_message, "streamSid: is not that of this stream");
  }

  void reach_mark(const std::string& name, Output& output) {
    output.texts.push_back(mark_text(call_, ++sequence_number_, name));
  }

  /// Where on the time line of the published audio `at` is; it begins with the first audio.
  [[nodiscard]] std::uint64_t position_at(Timestamp at) {
    if (!speaking_since_) speaking_since_ = at;
    return at < *speaking_since_ ? 0 : samples_in(at - *speaking_since_);
  }

  Role role_;
  Options options_;
  CallIdentity call_;
  bool finished_ = false;
  std::uint64_t sequence_number_ = 0;
  std::uint64_t chunk_ = 0;
  HeardAudio heard_;
  SpokenAudio spoken_;
  PlayoutQueue playout_;
  std::optional<Timestamp> speaking_since_;
  std::optional<std::uint64_t> first_timestamp_ms_;
  Timestamp spoken_until_{};  // a caller's audio, if it were heard without a gap
  Counters counters_;
};

Session::Session(Role role, Options options, Timestamp now)
    : state_(std::make_unique<State>(role, std::move(options), now)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

void Session::begin(Output& output) {
  state_->begin(output);
}
std::expected<void, Error> Session::receive(Timestamp now, std::string_view text, Output& output) {
  return state_->receive(now, text, output);
}
void Session::deliver(Timestamp now, ByteView packet, std::uint8_t heard_payload_type,
                      Output& output) {
  state_->deliver(now, packet, heard_payload_type, output);
}
void Session::relay(const PeerEvent& event, Output& output) {
  state_->relay(event, output);
}
void Session::end(Output& output) {
  state_->end(output);
}
std::optional<Timestamp> Session::next_timeout() const noexcept {
  return state_->next_timeout();
}
void Session::handle_timeout(Timestamp now, Output& output) {
  state_->play(now, output);
}
bool Session::finished() const noexcept {
  return state_->finished();
}
Role Session::role() const noexcept {
  return state_->role();
}
std::string_view Session::stream_sid() const noexcept {
  return state_->stream_sid();
}
const Counters& Session::counters() const noexcept {
  return state_->counters();
}

}  // namespace runnel::voice

#include "tests/bench/relay/patterns.h"

#include <algorithm>
#include <unordered_map>

namespace runnel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPatience = 50ms;  // for packets that are on their way
constexpr int kSearchSteps = 8;

/// Counts until `missing` packets have come, or nothing has for kPatience.
std::size_t await(Sink& sink, std::size_t missing) {
  std::size_t arrived = 0;
  auto last = Clock::now();
  while (arrived < missing) {
    const std::size_t now = sink.count();
    arrived += now;
    if (now != 0) {
      last = Clock::now();
      for (const auto until = last + 500us; Clock::now() < until;) {
      }
    } else if (Clock::now() - last > kPatience) {
      break;
    }
  }
  return arrived;
}

/// Calls `send(count)` whenever packets are due at equal distances: one, or as many as have become
/// due meanwhile, up to Contender::kMaxBurst. Calls `receive()` in between. Answers how many
/// packets there were.
template <class Send, class Receive>
std::size_t pace(double per_second, std::chrono::nanoseconds duration, Send send, Receive receive) {
  const auto packets_after = [&](std::chrono::duration<double> time) {
    return static_cast<std::size_t>(time.count() * per_second);
  };
  const std::size_t total = packets_after(duration);
  const auto start = Clock::now();
  for (std::size_t sent = 0; sent < total;) {
    const std::size_t due = std::min(total, packets_after(Clock::now() - start) + 1);
    const std::size_t count = std::min(due - sent, Contender::kMaxBurst);
    if (count > 0) send(count);
    sent += count;
    receive();
  }
  return total;
}

/// Starts and ends the measurement of a Run around a pattern.
class Measurement {
 public:
  Measurement(Contender& contender, Sink& sink) : contender_(contender), sink_(sink) {
    sink_.settle();
    overflowed_ = sink_.overflowed();
    started_ = Clock::now();
    cpu_ = contender_.cpu_time();
  }
  [[nodiscard]] Run end(std::size_t expected, std::size_t arrived) const {
    return {.expected = expected,
            .arrived = arrived,
            .overflowed = sink_.overflowed() - overflowed_,
            .cpu = contender_.cpu_time() - cpu_,
            .elapsed = Clock::now() - started_};
  }

 private:
  Contender& contender_;
  Sink& sink_;
  std::uint64_t overflowed_ = 0;
  Clock::time_point started_;
  std::chrono::nanoseconds cpu_{};
};

enum class Outcome : std::uint8_t { kept_up, forwarder_too_slow, generator_too_slow };

struct Trial {
  Outcome outcome = Outcome::kept_up;
  Run run;
};

Trial try_rate(Contender& contender, Sink& sink, double rate, std::chrono::nanoseconds duration) {
  const Run run = run_paced(contender, sink, rate, duration);
  if (run.elapsed - run.backlog > duration + duration / 20) {
    return {Outcome::generator_too_slow, run};
  }
  const bool kept_up = run.lossless() && run.backlog < duration / 20;
  return {kept_up ? Outcome::kept_up : Outcome::forwarder_too_slow, run};
}

std::chrono::nanoseconds percentile(std::vector<std::int64_t>& sorted, double fraction) {
  if (sorted.empty()) return {};
  const auto rank = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1));
  return std::chrono::nanoseconds(sorted[rank]);
}

std::int64_t realtime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Matches arrivals to departures by the distance of their sequence numbers from the first one.
class LatencyLog {
 public:
  void sent(std::int64_t at) { departures_.push_back(at); }
  void arrived(const Arrival& arrival) {
    if (arrival.datagrams == 0) return;
    const std::uint32_t ssrc = load_be32(arrival.bytes.data() + 8);
    const std::uint16_t sequence = load_be16(arrival.bytes.data() + 2);
    const auto [entry, is_new] = receivers_.try_emplace(ssrc, Progress{sequence, 0});
    Progress& progress = entry->second;
    progress.index += static_cast<std::uint16_t>(sequence - progress.sequence);
    progress.sequence = sequence;
    for (std::size_t i = 0; i < arrival.datagrams; ++i) {
      if (progress.index + i < departures_.size()) {
        samples_.push_back(arrival.received_at - departures_[progress.index + i]);
      }
    }
  }
  [[nodiscard]] std::vector<std::int64_t>& samples() { return samples_; }

 private:
  struct Progress {
    std::uint16_t sequence = 0;
    std::size_t index = 0;
  };
  std::vector<std::int64_t> departures_;
  std::vector<std::int64_t> samples_;
  std::unordered_map<std::uint32_t, Progress> receivers_;
};

}  // namespace

Run run_bursts(Contender& contender, Sink& sink, std::size_t burst,
               std::chrono::nanoseconds duration) {
  constexpr int kWarmUp = 5;
  const std::size_t per_burst = burst * contender.receivers();
  const auto one_burst = [&] {
    contender.send();
    contender.prepare(burst);  // the next one, while the forwarder works
    return await(sink, per_burst);
  };
  sink.settle();
  contender.prepare(burst);
  for (int i = 0; i < kWarmUp; ++i) (void)one_burst();
  const Measurement measurement(contender, sink);
  std::size_t expected = 0;
  std::size_t arrived = 0;
  for (const auto start = Clock::now(); Clock::now() - start < duration; expected += per_burst) {
    arrived += one_burst();
  }
  return measurement.end(expected, arrived);
}

Run run_paced(Contender& contender, Sink& sink, double rate, std::chrono::nanoseconds duration) {
  std::size_t arrived = 0;
  const Measurement measurement(contender, sink);
  const std::size_t sent = pace(
      rate / static_cast<double>(contender.receivers()), duration,
      [&](std::size_t count) {
        contender.prepare(count);
        contender.send();
      },
      [&] { arrived += sink.count(); });
  const std::size_t expected = sent * contender.receivers();
  const auto all_sent = Clock::now();
  if (arrived < expected) arrived += await(sink, expected - arrived);
  Run run = measurement.end(expected, arrived);
  run.backlog = Clock::now() - all_sent;
  return run;
}

Saturation find_saturation(Contender& contender, Sink& sink, double guess,
                           std::chrono::nanoseconds duration) {
  double low = 0;
  double high = 2 * guess;
  bool generator_bound = false;
  Saturation best;
  for (int step = 0; step < kSearchSteps; ++step) {
    const double rate = (low + high) / 2;
    Trial trial = try_rate(contender, sink, rate, duration);
    // A machine that others use too stumbles now and then: a rate gets a second chance.
    if (trial.outcome != Outcome::kept_up) trial = try_rate(contender, sink, rate, duration);
    if (trial.outcome == Outcome::kept_up) {
      best = {rate, false, trial.run};
      low = rate;
    } else {
      generator_bound = trial.outcome == Outcome::generator_too_slow;
      high = rate;
    }
  }
  best.generator_bound = generator_bound;
  return best;
}

Latency measure_latency(Contender& contender, Sink& sink, double rate,
                        std::chrono::nanoseconds duration) {
  sink.settle();
  sink.keep_time(true);
  LatencyLog log;
  const auto receive = [&] {
    for (const Arrival& arrival : sink.receive()) log.arrived(arrival);
  };
  const auto send = [&](std::size_t count) {
    contender.prepare(count);
    const std::int64_t now = realtime();
    for (std::size_t i = 0; i < count; ++i) log.sent(now);
    contender.send();
  };
  (void)pace(rate / static_cast<double>(contender.receivers()), duration, send, receive);
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) receive();
  sink.keep_time(false);
  std::ranges::sort(log.samples());
  return {.rate = rate,
          .samples = log.samples().size(),
          .median = percentile(log.samples(), 0.5),
          .percentile_99 = percentile(log.samples(), 0.99),
          .percentile_99_9 = percentile(log.samples(), 0.999)};
}

}  // namespace runnel::bench

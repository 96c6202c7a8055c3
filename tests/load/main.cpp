// Many subscribers of one stream by WHEP in one process; prints what they got as one line of JSON.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <poll.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/dtls/context.h"
#include "tests/load/options.h"
#include "tests/load/subscriber.h"
#include "tests/load/system.h"

namespace {

using namespace runnel;
using namespace runnel::load;

class Crowd {
 public:
  /// The failures of those who were not let in.
  std::vector<std::string> join(const Options& options, const dtls::Context& context) {
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < options.subscribers; ++i) {
      auto subscriber = std::make_unique<Subscriber>(context, random_);
      if (auto joined = subscriber->join(options.server, options.stream); !joined) {
        failures.push_back(joined.error());
        continue;
      }
      sockets_.push_back({.fd = subscriber->socket(), .events = POLLIN, .revents = 0});
      subscribers_.push_back(std::move(subscriber));
      turn(read_clock());  // those who are in must not starve
    }
    return failures;
  }

  void run_until(Timestamp end) {
    while (read_clock() < end) turn(end);
  }

  void leave(const Options& options) {
    for (auto& subscriber : subscribers_) subscriber->leave(options.server);
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Subscriber>>& all() const { return subscribers_; }

 private:
  /// Waits for a datagram, a timeout or `end`.
  void turn(Timestamp end) {
    Timestamp wake = end;
    for (const auto& subscriber : subscribers_) {
      wake = std::min(wake, subscriber->next_timeout().value_or(end));
    }
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(wake - read_clock());
    ::poll(sockets_.data(), sockets_.size(), static_cast<int>(std::max<long>(wait.count(), 0)));
    const Timestamp now = read_clock();
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      if (sockets_[i].revents != 0) subscribers_[i]->receive(now);
      if (subscribers_[i]->next_timeout() <= now) subscribers_[i]->handle_timeout(now);
    }
  }

  DeviceRandom random_;
  std::vector<std::unique_ptr<Subscriber>> subscribers_;
  std::vector<pollfd> sockets_;
};

nlohmann::json summary(const Crowd& crowd, const std::vector<std::string>& failures) {
  std::uint64_t packets = 0, fewest = UINT64_MAX, missing = 0, faults = 0;
  std::size_t connected = 0, receiving = 0;
  Duration slowest{};
  for (const auto& subscriber : crowd.all()) {
    packets += subscriber->packets();
    fewest = std::min(fewest, subscriber->packets());
    missing += subscriber->missing();
    faults += subscriber->faults();
    connected += subscriber->is_connected();
    receiving += subscriber->packets() > 0;
    slowest = std::max(slowest, subscriber->first_packet_after().value_or(Duration{}));
  }
  return {{"joined", crowd.all().size()},
          {"connected", connected},
          {"receiving", receiving},
          {"packets", packets},
          {"fewest_packets", crowd.all().empty() ? 0 : fewest},
          {"missing", missing},
          {"faults", faults},
          {"slowest_first_packet_ms",
           std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count()},
          {"refused", failures.size()},
          {"first_refusal", failures.empty() ? "" : failures.front()}};
}

}  // namespace

int main(int count, char** words) {
  const auto options = parse_options(std::span(words, static_cast<std::size_t>(count)).subspan(1));
  if (!options) {
    std::fprintf(stderr,
                 "Usage: whep_load --server http://ADDRESS:PORT --stream NAME"
                 " [--subscribers N] [--seconds N]\n");
    return 64;
  }
  const auto context = dtls::Context::self_signed();
  if (!context) {
    std::fprintf(stderr, "%s\n", context.error().c_str());
    return 1;
  }
  Crowd crowd;
  const auto failures = crowd.join(*options, *context);
  std::printf("joined\n");
  std::fflush(stdout);
  crowd.run_until(read_clock() + options->seconds);
  std::printf("%s\n", summary(crowd, failures).dump().c_str());
  std::fflush(stdout);
  crowd.leave(*options);
  return 0;
}

// Keeps what is announced up to date: names move, interfaces come and go.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/announcement.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/name_lookup.h"

namespace runnel::daemon {

class Announcer {
 public:
  /// Is given all addresses that are to be announced from now on.
  using Apply = std::function<void(const std::vector<IpAddress>& addresses)>;

  /// `entries` as `announce` of the configuration has them; `bound` as in Surroundings. `loop` and
  /// `log` must outlive it.
  Announcer(EventLoop& loop, std::vector<std::string> entries, std::vector<IpAddress> bound,
            Apply apply, Log& log, const LookupIntervals& intervals = {});
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  /// Applies and logs what is known at once; names follow when they are resolved.
  void start();
  /// Whether a look-up is under way; see NameLookup.
  [[nodiscard]] bool is_busy() const noexcept;

 private:
  struct Name {
    std::unique_ptr<NameLookup> lookup;
    bool is_failing = false;
  };

  void on_answer(const std::string& host, Name& name, const NameLookup::Answer& answer);
  void look_at_interfaces();
  void update();

  EventLoop& loop_;
  std::vector<std::string> entries_;
  Surroundings surroundings_;
  Apply apply_;
  Log& log_;
  LookupIntervals intervals_;
  std::map<std::string, Name> names_;
  std::string announced_;  // as last logged
  std::vector<IpAddress> addresses_;
  Timer interfaces_timer_;
};

}  // namespace runnel::daemon

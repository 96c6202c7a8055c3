#include "daemon/announcer.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {

Announcer::Announcer(EventLoop& loop, std::vector<std::string> entries,
                     std::vector<IpAddress> bound, Apply apply, Log& log,
                     const LookupIntervals& intervals)
    : loop_(loop),
      entries_(std::move(entries)),
      surroundings_{.interfaces = {}, .bound = std::move(bound), .names = {}},
      apply_(std::move(apply)),
      log_(log),
      intervals_(intervals),
      interfaces_timer_(loop, [this] {
        look_at_interfaces();
        update();
      }) {}

void Announcer::start() {
  for (const std::string& entry : entries_) {
    if (entry != "auto" && !IpAddress::parse(entry)) names_.try_emplace(entry);
  }
  look_at_interfaces();
  update();
  interfaces_timer_.start_repeating(intervals_.refresh);
  for (auto& [host, name] : names_) {
    name.lookup = std::make_unique<NameLookup>(
        loop_, host, AddressFamily::any,
        [this, &host, &name](const NameLookup::Answer& answer) { on_answer(host, name, answer); },
        intervals_);
    name.lookup->start();
  }
}

bool Announcer::is_busy() const noexcept {
  return std::ranges::any_of(names_, [](const auto& entry) {
    return entry.second.lookup && entry.second.lookup->is_busy();
  });
}

// A name that cannot be resolved any more keeps the addresses that it had.
void Announcer::on_answer(const std::string& host, Name& name, const NameLookup::Answer& answer) {
  const bool was_failing = std::exchange(name.is_failing, !answer);
  if (!answer) {
    if (was_failing) return;
    const bool is_known = surroundings_.names.contains(host);
    return log_.warning(
        fmt::format("announce: cannot find an address of {}: {}; {}, and trying again every {} s",
                    host, answer.error(),
                    is_known ? "staying with what it had" : "it is not announced",
                    std::chrono::ceil<std::chrono::seconds>(intervals_.retry).count()),
        {{"event", "name_not_resolved"}, {"name", host}});
  }
  // The order changes from one answer to the next, and means nothing.
  std::vector<IpAddress> addresses = *answer;
  std::ranges::sort(addresses);
  surroundings_.names[host] = std::move(addresses);
  update();
}

void Announcer::look_at_interfaces() {
  surroundings_.interfaces = interface_addresses();
}

void Announcer::update() {
  const Announcement announcement = choose_announcement(entries_, surroundings_);
  const std::string text = announcement.to_string();
  if (std::exchange(announced_, text) != text) {
    log_.info("announcing " + text, {{"event", "announcing"}, {"announce", text}});
  }
  auto addresses = announcement.addresses();
  if (std::exchange(addresses_, addresses) != addresses) apply_(addresses_);
}

}  // namespace runnel::daemon

#include "core/whip/event_streams.h"

#include <algorithm>

#include "core/whip/layers_event.h"

namespace runnel::whip {
namespace {

using signalling::StreamState;

constexpr std::size_t place_of(EventKind kind) noexcept {
  return static_cast<std::size_t>(kind);
}

std::string text_of(EventKind kind, std::string_view data) {
  std::string text = "event: ";
  text.append(to_string(kind)).append("\ndata: ").append(data).append("\n\n");
  return text;
}

}  // namespace

std::string_view to_string(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::active:
      return "active";
    case EventKind::inactive:
      return "inactive";
    case EventKind::viewercount:
      return "viewercount";
    case EventKind::layers:
      return "layers";
  }
  std::unreachable();
}

std::string list_of_events() {
  std::string list;
  for (const EventKind kind : kEventKinds) {
    if (!list.empty()) list += ',';
    list += to_string(kind);
  }
  return list;
}

std::optional<std::uint32_t> EventStreams::create(Timestamp now, std::string stream,
                                                  const std::string& resource,
                                                  const EventSet& wanted) {
  for (std::uint32_t number = 1; number <= kMostOfResource; ++number) {
    const auto [place, is_new] = streams_.try_emplace(Name{resource, number});
    if (!is_new) continue;
    place->second.stream = std::move(stream);
    place->second.wanted = wanted;
    if (streams_.size() == 1) next_update_ = now + kInterval;
    return number;
  }
  return std::nullopt;
}

std::optional<ReaderId> EventStreams::open(Timestamp now, const session::Desk& desk,
                                           std::string_view stream, const Name& name) {
  if (!contains(stream, name)) return std::nullopt;
  auto place = streams_.find(name);
  EventStream& opened = place->second;
  end_reader(opened);
  const ReaderId reader{++last_reader_};
  opened.reader = reader;
  opened.is_active.reset();
  opened.viewers.reset();
  opened.layers.clear();
  opened.last_text = now;
  readers_.emplace(reader, name);
  if (!update(now, desk, place)) return std::nullopt;
  return reader;
}

bool EventStreams::contains(std::string_view stream, const Name& name) const {
  const auto found = streams_.find(name);
  return found != streams_.end() && found->second.stream == stream;
}

bool EventStreams::remove(const Name& name) {
  const auto found = streams_.find(name);
  if (found == streams_.end()) return false;
  end_reader(found->second);
  streams_.erase(found);
  return true;
}

void EventStreams::close(ReaderId reader) {
  const auto found = readers_.find(reader);
  if (found == readers_.end()) return;
  streams_.at(found->second).reader.reset();
  readers_.erase(found);
}

void EventStreams::handle_events(Timestamp now, const session::Desk& desk,
                                 const std::vector<session::ResourceEvent>& events) {
  if (streams_.empty()) return;
  for (const session::ResourceEvent& event : events) {
    auto place = streams_.lower_bound(Name{event.id, 0});
    while (place != streams_.end() && place->first.resource == event.id) {
      if (update(now, desk, place)) ++place;
    }
  }
}

void EventStreams::handle_timeout(Timestamp now, const session::Desk& desk) {
  if (streams_.empty() || now < next_update_) return;
  next_update_ = now + kInterval;
  for (auto place = streams_.begin(); place != streams_.end();) {
    if (update(now, desk, place)) ++place;
  }
}

std::optional<Timestamp> EventStreams::next_timeout() const noexcept {
  return streams_.empty() ? std::nullopt : std::optional(next_update_);
}

bool EventStreams::update(Timestamp now, const session::Desk& desk, Table::iterator& place) {
  EventStream& stream = place->second;
  if (!desk.has_resource(place->first.resource)) {
    end_reader(stream);
    place = streams_.erase(place);
    return false;
  }
  if (!stream.reader) return true;
  tell_changes(now, desk, place->first.resource, stream);
  if (now - stream.last_text >= kHeartbeat) send(now, stream, ":\n\n");
  return true;
}

void EventStreams::tell_changes(Timestamp now, const session::Desk& desk,
                                const std::string& resource, EventStream& stream) {
  const auto summary = desk.summary_of_stream(stream.stream);
  const bool is_active = summary && summary->state == StreamState::live;
  if (std::exchange(stream.is_active, is_active) != is_active) {
    tell(now, stream, is_active ? EventKind::active : EventKind::inactive, "{}");
  }
  const std::size_t viewers = summary ? summary->subscribers : 0;
  if (std::exchange(stream.viewers, viewers) != viewers) {
    tell(now, stream, EventKind::viewercount, "{\"viewercount\":" + std::to_string(viewers) + "}");
  }
  if (!stream.wanted[place_of(EventKind::layers)]) return;
  auto layers = desk.layers_of_resource(resource);
  const bool are_known = are_alike(stream.layers, layers);
  const bool had_some = has_layers(stream.layers);
  stream.layers = std::move(layers);
  const bool may_choose = had_some || has_layers(stream.layers);
  if (!are_known && may_choose) tell(now, stream, EventKind::layers, layers_data(stream.layers));
}

void EventStreams::tell(Timestamp now, EventStream& stream, EventKind kind, std::string_view data) {
  if (stream.wanted[place_of(kind)]) send(now, stream, text_of(kind, data));
}

void EventStreams::send(Timestamp now, EventStream& stream, std::string text) {
  stream.last_text = now;
  output_.texts.emplace_back(*stream.reader, std::move(text));
}

void EventStreams::end_reader(EventStream& stream) {
  if (!stream.reader) return;
  output_.ended.push_back(*stream.reader);
  readers_.erase(*stream.reader);
  stream.reader.reset();
}

}  // namespace runnel::whip

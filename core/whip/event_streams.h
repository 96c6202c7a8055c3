// What viewers are told by server-sent events (the extension of WHEP, and the HTML Standard §9.2).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/session/desk.h"
#include "core/session/resource.h"

namespace runnel::whip {

enum class EventKind : std::uint8_t {
  active,       // the stream has its publisher
  inactive,     // it has none, or one that is silent
  viewercount,  // how many subscribers it has
  layers,       // which encodings there are; of simulcast alone
};
inline constexpr std::array kEventKinds{EventKind::active, EventKind::inactive,
                                        EventKind::viewercount, EventKind::layers};
/// "viewercount"
[[nodiscard]] std::string_view to_string(EventKind kind) noexcept;

/// "active,inactive,viewercount,layers"
[[nodiscard]] std::string list_of_events();

/// Of kEventKinds, by their place.
using EventSet = std::array<bool, kEventKinds.size()>;

/// A response whose body is the events of one stream, as long as its connection lasts. Never given
/// out twice.
enum class ReaderId : std::uint64_t {};

/// An event stream belongs to one resource, and may be read by one connection at a time. It keeps
/// no events: whoever begins to read is told how things are, and after that what changes.
class EventStreams {
 public:
  static constexpr std::uint32_t kMostOfResource = 4;
  /// How often the desk is asked for what has changed.
  static constexpr Duration kInterval = std::chrono::seconds(1);
  /// What is quiet for so long gets a comment, so that proxies keep the connection.
  static constexpr Duration kHeartbeat = std::chrono::seconds(15);

  struct Name {
    std::string resource;
    std::uint32_t number = 0;  // within the resource

    friend auto operator<=>(const Name&, const Name&) = default;
  };
  struct Output {
    std::vector<std::pair<ReaderId, std::string>> texts;
    /// Nothing more comes: their resources have ended, or somebody else reads.
    std::vector<ReaderId> ended;
  };

  /// nullopt: the resource has as many as it may have.
  [[nodiscard]] std::optional<std::uint32_t> create(Timestamp now, std::string stream,
                                                    const std::string& resource,
                                                    const EventSet& wanted);
  /// Begins to read; whoever has read before is ended. nullopt: there is no such event stream.
  [[nodiscard]] std::optional<ReaderId> open(Timestamp now, const session::Desk& desk,
                                             std::string_view stream, const Name& name);
  /// Whether there is such an event stream.
  [[nodiscard]] bool contains(std::string_view stream, const Name& name) const;
  /// False: there was none.
  bool remove(const Name& name);
  /// The connection is gone; the event stream waits for another.
  void close(ReaderId reader);

  /// What the desk tells may be of interest to these: they are looked at without delay.
  void handle_events(Timestamp now, const session::Desk& desk,
                     const std::vector<session::ResourceEvent>& events);
  void handle_timeout(Timestamp now, const session::Desk& desk);
  /// nullopt while there are no event streams.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;

  [[nodiscard]] bool has_output() const noexcept {
    return !output_.texts.empty() || !output_.ended.empty();
  }
  [[nodiscard]] Output take_output() { return std::exchange(output_, {}); }

  [[nodiscard]] std::size_t size() const noexcept { return streams_.size(); }

 private:
  struct EventStream {
    std::string stream;
    EventSet wanted{};
    std::optional<ReaderId> reader;
    // What the reader was told last; nullopt: nothing.
    std::optional<bool> is_active;
    std::optional<std::size_t> viewers;
    std::vector<session::ResourceLayers> layers;
    Timestamp last_text{};
  };
  using Table = std::map<Name, EventStream>;

  /// False: the resource has ended, and the event stream with it.
  bool update(Timestamp now, const session::Desk& desk, Table::iterator& place);
  void tell_changes(Timestamp now, const session::Desk& desk, const std::string& resource,
                    EventStream& stream);
  void tell(Timestamp now, EventStream& stream, EventKind kind, std::string_view data);
  void send(Timestamp now, EventStream& stream, std::string text);
  void end_reader(EventStream& stream);

  Table streams_;
  std::map<ReaderId, Name> readers_;
  std::uint64_t last_reader_ = 0;
  Timestamp next_update_{};
  Output output_;
};

}  // namespace runnel::whip

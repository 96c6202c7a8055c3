#include "daemon/statistics_log.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {
namespace {

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}
double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// A stream that was ended and published again counts from zero.
std::uint64_t bits_per_second(std::uint64_t bytes, std::uint64_t bytes_before, Duration elapsed) {
  const std::uint64_t more = bytes >= bytes_before ? bytes - bytes_before : bytes;
  return static_cast<std::uint64_t>(static_cast<double>(more) * 8 / seconds(elapsed));
}

std::string rate(std::uint64_t bits_per_second) {
  const auto value = static_cast<double>(bits_per_second);
  if (bits_per_second < 1'000) return fmt::format("{} bit/s", bits_per_second);
  if (bits_per_second < 1'000'000) return fmt::format("{:.3g} kbit/s", value / 1e3);
  return fmt::format("{:.2f} Mbit/s", value / 1e6);
}

// Duplicates that arrive late can make the number of lost packets fall, and a new source starts to
// count afresh.
double share_lost(const relay::SourceMediumStatistics& now,
                  const relay::SourceMediumStatistics& before) {
  const auto lost = static_cast<double>(now.lost - before.lost);
  const auto received = static_cast<double>(now.packets - before.packets);
  return lost <= 0 ? 0 : lost / (lost + received);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

std::string counts(const DropCounters& drops) {
  std::string text;
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    const auto reason = static_cast<DropReason>(i);
    if (drops[reason] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", drops[reason], to_string(reason));
  }
  return text;
}

void add_drop_fields(std::vector<LogField>& fields, const DropCounters& drops) {
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    const auto reason = static_cast<DropReason>(i);
    if (drops[reason] != 0) {
      fields.emplace_back("dropped." + std::string(to_string(reason)), drops[reason]);
    }
  }
}

// "video 2.41 Mbit/s (45000 packets, 0.03 % lost, jitter 2.1 ms)"
std::string describe_source(const relay::SourceMediumStatistics& now,
                            const relay::SourceMediumStatistics& before, Duration elapsed,
                            std::vector<LogField>& fields) {
  const std::uint64_t bitrate = bits_per_second(now.bytes, before.bytes, elapsed);
  const double lost = share_lost(now, before);
  fields.emplace_back(now.name + ".live", now.live);
  fields.emplace_back(now.name + ".bits_per_second", bitrate);
  fields.emplace_back(now.name + ".packets", now.packets);
  fields.emplace_back(now.name + ".lost", now.lost);
  fields.emplace_back(now.name + ".jitter_ms", milliseconds(now.jitter));
  if (now.packets == 0) return now.name + ": nothing yet";
  return fmt::format("{} {} ({}, {} lost, jitter {:.1f} ms)", now.name,
                     now.live ? rate(bitrate) : "silent", counted(now.packets, "packet"),
                     percent(lost), milliseconds(now.jitter));
}

// All receivers of a stream taken together.
struct Output {
  std::size_t receivers = 0;  // that have an address
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  double worst_loss = 0;  // as the receivers report it
  DropCounters drops;
};

Output output_of(const relay::RelayStatistics& statistics) {
  Output output{.packets = statistics.departed.packets,
                .bytes = statistics.departed.bytes,
                .drops = statistics.departed.drops};
  for (const relay::ReceiverStatistics& receiver : statistics.to) {
    bool has_address = receiver.channel.has_value();
    for (const relay::ReceiverMediumStatistics& medium : receiver.media) {
      has_address |= medium.destination.has_value();
      output.packets += medium.packets;
      output.bytes += medium.bytes;
      output.worst_loss = std::max(output.worst_loss, medium.fraction_lost.value_or(0));
      output.drops += medium.drops;
    }
    if (has_address) ++output.receivers;
  }
  return output;
}

std::string describe_output(const Output& now, const Output& before, Duration elapsed,
                            std::vector<LogField>& fields) {
  const std::uint64_t bitrate = bits_per_second(now.bytes, before.bytes, elapsed);
  fields.emplace_back("receivers", now.receivers);
  fields.emplace_back("out.bits_per_second", bitrate);
  fields.emplace_back("out.packets", now.packets);
  fields.emplace_back("out.worst_loss", now.worst_loss);
  if (now.receivers == 0) return "no receiver";
  std::string text =
      fmt::format("out {} to {} ({}", rate(bitrate), counted(now.receivers, "receiver"),
                  counted(now.packets, "packet"));
  if (now.worst_loss > 0) text += ", up to " + percent(now.worst_loss) + " lost";
  return text + ")";
}

}  // namespace

LogLine describe(const relay::RelayStatistics& now, const relay::RelayStatistics& before,
                 Duration elapsed) {
  LogLine line{config::LogLevel::info,
               now.stream + ": ",
               {{"event", "statistics"}, {"stream", now.stream}, {"interval_s", seconds(elapsed)}}};
  DropCounters drops;
  for (std::size_t i = 0; i < now.from.size(); ++i) {
    const relay::SourceMediumStatistics none;
    const auto& medium_before = i < before.from.size() ? before.from[i] : none;
    line.message += describe_source(now.from[i], medium_before, elapsed, line.fields) + "; ";
    drops += now.from[i].drops;
  }
  const Output output = output_of(now);
  drops += output.drops;
  line.message += describe_output(output, output_of(before), elapsed, line.fields);
  if (drops.total() != 0) line.message += "; dropped " + counts(drops);
  add_drop_fields(line.fields, drops);
  return line;
}

void StatisticsLog::write(Timestamp now, const relay::Engine& engine) {
  const Duration elapsed = std::max<Duration>(now - last_time_, std::chrono::milliseconds(1));
  std::unordered_map<std::string, relay::RelayStatistics> current;
  for (const std::size_t relay : engine.relays()) {
    relay::RelayStatistics statistics = engine.statistics(relay);
    log_.write(describe(statistics, last_[statistics.stream], elapsed));
    current[statistics.stream] = std::move(statistics);
  }
  last_ = std::move(current);
  last_time_ = now;
  const DropCounters& stray = engine.stray_drops();
  if (stray.total() == std::exchange(last_stray_drops_, stray.total())) return;
  LogLine line{config::LogLevel::info,
               "packets of no stream: dropped " + counts(stray),
               {{"event", "stray_drops"}}};
  add_drop_fields(line.fields, stray);
  log_.write(line);
}

void StatisticsLog::write(const transport::Transports::Counts& peers) {
  const std::uint64_t handshakes = peers.handshakes + peers.handshakes_failed;
  const bool is_unchanged = std::exchange(last_handshakes_, handshakes) == handshakes;
  if (is_unchanged && peers.peers == 0) return;
  log_.write(describe(peers));
}

void StatisticsLog::write(const ServerStatistics& server, const session::Desk::Counts& desk) {
  const bool is_unchanged = std::exchange(last_server_, server) == server;
  if (is_unchanged && server.connections == 0) return;
  log_.write(describe(server, desk));
}

}  // namespace runnel::daemon

// Puts load on forwarders that are running already, in alternation, and prints what each of them
// costs as JSON.
//
//   bench_relay_load --sink PORT [--burst PACKETS] [--rounds N] [--seconds S] [--paced RATE]
//                    [--saturation NAME]... [--latency NAME]... NAME=PID=SETUP...
//
// Each contender is named, with its process and the setup file it was started with. Rates are
// packets per second to all receivers together. Latency is measured at a tenth of the saturation,
// and so needs it. The contender "floor" leaves the encryption alone. Nothing is measured before
// all contenders have shown that they deliver; with --rounds 0, that is all.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/bench/relay/delivery.h"
#include "tests/bench/relay/patterns.h"

namespace runnel::bench {
namespace {

using Contenders = std::vector<std::unique_ptr<Contender>>;

struct Options {
  std::uint16_t sink_port = 0;
  std::size_t burst = 10;
  int rounds = 5;
  double seconds = 0.3;
  double paced_rate = 0;  // 0: not paced
  std::set<std::string> saturation;
  std::set<std::string> latency;
  std::vector<std::string> contenders;
};

[[noreturn]] void refuse(std::string_view what) {
  std::fprintf(stderr, "bench_relay_load: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(64);
}

template <typename T>
T number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) refuse(text + " is no number");
  return value;
}

Options parse(std::vector<std::string> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto text = [&] {
      if (++i == arguments.size()) refuse(arguments.back() + " needs a value");
      return arguments[i];
    };
    const auto value = [&] { return number<double>(text()); };
    if (argument == "--sink") {
      options.sink_port = static_cast<std::uint16_t>(value());
    } else if (argument == "--burst") {
      options.burst = static_cast<std::size_t>(value());
    } else if (argument == "--rounds") {
      options.rounds = static_cast<int>(value());
    } else if (argument == "--seconds") {
      options.seconds = value();
    } else if (argument == "--paced") {
      options.paced_rate = value();
    } else if (argument == "--saturation") {
      options.saturation.insert(text());
    } else if (argument == "--latency") {
      options.latency.insert(text());
    } else if (argument.starts_with("--")) {
      refuse("unknown option " + argument);
    } else {
      options.contenders.push_back(argument);
    }
  }
  if (options.sink_port == 0) refuse("--sink PORT is missing");
  if (options.burst < 1 || options.burst > Contender::kMaxBurst) refuse("--burst takes 1 to 32");
  return options;
}

std::unique_ptr<Contender> make_contender(const std::string& text) {
  const std::size_t first = text.find('=');
  const std::size_t second = text.find('=', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    refuse("a contender is NAME=PID=SETUP");
  }
  return std::make_unique<Contender>(
      text.substr(0, first), std::atoi(text.substr(first + 1).c_str()), text.substr(second + 1));
}

nlohmann::json to_json(const Run& run) {
  return {{"ns_per_packet", run.ns_per_packet()},
          {"packets", run.arrived},
          {"lost", run.expected - run.arrived},
          {"lost_by_sink", run.overflowed},
          {"packets_per_second", run.packets_per_second()},
          {"utilisation", std::chrono::duration<double>(run.cpu).count() /
                              std::chrono::duration<double>(run.elapsed).count()}};
}

nlohmann::json to_json(const Latency& latency) {
  return {{"packets_per_second", latency.rate},
          {"samples", latency.samples},
          {"median_ns", latency.median.count()},
          {"p99_ns", latency.percentile_99.count()},
          {"p99_9_ns", latency.percentile_99_9.count()}};
}

/// What one core of this contender might manage, from what a packet costs it in bursts.
double capacity(const nlohmann::json& result) {
  double least = 1e9;
  for (const auto& round : result["bursts"]) {
    const double cost = round["ns_per_packet"];
    if (cost > 0) least = std::min(least, cost);
  }
  return 1e9 / least;
}

nlohmann::json measure(const Options& options, Contenders& contenders, Sink& sink) {
  const auto duration = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(options.seconds));
  nlohmann::json results;
  for (int round = 0; round < options.rounds; ++round) {
    for (const auto& contender : contenders) {
      nlohmann::json& result = results[contender->name()];
      result["bursts"].push_back(to_json(run_bursts(*contender, sink, options.burst, duration)));
      if (options.paced_rate > 0) {
        result["paced"].push_back(
            to_json(run_paced(*contender, sink, options.paced_rate, duration)));
      }
    }
  }
  for (const auto& contender : contenders) {
    if (!options.saturation.contains(contender->name())) continue;
    nlohmann::json& result = results[contender->name()];
    const Saturation saturation = find_saturation(*contender, sink, capacity(result), duration);
    result["saturation"] = to_json(saturation.run);
    result["saturation"]["generator_bound"] = saturation.generator_bound;
    if (!options.latency.contains(contender->name())) continue;
    const double tenth = saturation.rate / 10;
    result["latency"] = to_json(measure_latency(*contender, sink, tenth, 10 * duration));
  }
  return results;
}

int run(const Options& options) {
  Contenders contenders;
  for (const std::string& text : options.contenders) contenders.push_back(make_contender(text));
  Sink sink(options.sink_port);
  for (const auto& contender : contenders) {
    if (delivers(*contender, sink, contender->name() != "floor")) continue;
    std::fprintf(stderr, "%s does not deliver what it should\n", contender->name().c_str());
    return 1;
  }
  std::puts(measure(options, contenders, sink).dump(2).c_str());
  return 0;
}

}  // namespace
}  // namespace runnel::bench

int main(int argc, char** argv) {
  return runnel::bench::run(runnel::bench::parse({argv + 1, argv + argc}));
}

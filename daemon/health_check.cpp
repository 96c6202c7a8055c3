#include "daemon/health_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "config/loader.h"
#include "daemon/commands.h"
#include "daemon/port_binding.h"
#include "daemon/port_plan.h"

namespace runnel::daemon {
namespace {

constexpr int kSamples = 5;
constexpr std::chrono::milliseconds kBetweenSamples(50);

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// The kernel prints each 32-bit word of an address as an integer of its own byte order.
template <std::size_t Size>
std::optional<std::array<std::uint8_t, Size>> parse_address_bytes(std::string_view text) {
  std::array<std::uint8_t, Size> bytes;
  for (std::size_t word = 0; word < Size / 4; ++word) {
    const auto value = parse_hex(text.substr(8 * word, 8));
    if (!value) return std::nullopt;
    const auto native = static_cast<std::uint32_t>(*value);
    std::memcpy(bytes.data() + 4 * word, &native, 4);
  }
  return bytes;
}

std::optional<IpAddress> parse_address(std::string_view text) {
  if (text.size() == 8) return parse_address_bytes<4>(text).transform(&IpAddress::v4);
  if (text.size() != 32) return std::nullopt;
  return parse_address_bytes<16>(text).transform(
      [](const auto& bytes) { return IpAddress::v6(bytes); });
}

// "  sl: LOCAL:PORT REMOTE:PORT STATE TX_QUEUE:RX_QUEUE ..."
std::optional<BoundPort> parse_line(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  if (fields.size() < 5) return std::nullopt;
  const std::size_t colon = fields[1].find(':');
  const std::size_t queue_colon = fields[4].find(':');
  if (colon == std::string_view::npos || queue_colon == std::string_view::npos) return std::nullopt;
  const auto ip = parse_address(fields[1].substr(0, colon));
  const auto port = parse_hex(fields[1].substr(colon + 1));
  const auto waiting = parse_hex(fields[4].substr(queue_colon + 1));
  if (!ip || !port || !waiting) return std::nullopt;
  return BoundPort{{*ip, static_cast<std::uint16_t>(*port)}, *waiting};
}

std::string read_whole(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<BoundPort> bound_ports() {
  std::vector<BoundPort> ports = parse_bound_ports(read_whole("/proc/net/udp"));
  std::ranges::move(parse_bound_ports(read_whole("/proc/net/udp6")), std::back_inserter(ports));
  return ports;
}

std::vector<SocketAddress> expected_ports(const config::Config& config) {
  std::vector<SocketAddress> addresses;
  const PortPlan plan(config, has_ipv6());
  for (const PlannedPort& port : plan.ports()) addresses.push_back(port.address);
  return addresses;
}

}  // namespace

std::vector<BoundPort> parse_bound_ports(std::string_view table) {
  std::vector<BoundPort> ports;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    if (const auto port = parse_line(table.substr(0, end))) ports.push_back(*port);
    table.remove_prefix(std::min(end + 1, table.size()));
  }
  return ports;
}

std::optional<std::string> find_ailment(const std::vector<SocketAddress>& expected,
                                        const std::vector<std::vector<BoundPort>>& samples) {
  for (const SocketAddress& address : expected) {
    bool is_stuck = true;
    std::uint64_t before = 0;
    for (const std::vector<BoundPort>& sample : samples) {
      const auto bound = std::ranges::find(sample, address, &BoundPort::address);
      if (bound == sample.end()) return "nobody listens on " + address.to_string();
      is_stuck = is_stuck && bound->waiting > 0 && bound->waiting >= before;
      before = bound->waiting;
    }
    if (is_stuck) return "datagrams wait at " + address.to_string() + " and nobody takes them";
  }
  return std::nullopt;
}

ExitCode check_health(const HealthCommand& command) {
  const auto loaded = config::load_file(command.config_file);
  if (!loaded) {
    print_problems(loaded.error());
    return ExitCode::configuration;
  }
  std::vector<std::vector<BoundPort>> samples;
  for (int i = 0; i < kSamples; ++i) {
    if (i > 0) std::this_thread::sleep_for(kBetweenSamples);
    samples.push_back(bound_ports());
  }
  if (const auto ailment = find_ailment(expected_ports(loaded->config), samples)) {
    std::fprintf(stderr, "runneld: unhealthy: %s\n", ailment->c_str());
    return ExitCode::unhealthy;
  }
  std::puts("healthy");
  return ExitCode::ok;
}

}  // namespace runnel::daemon

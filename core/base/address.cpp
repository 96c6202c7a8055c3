#include "core/base/address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>

namespace runnel {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t kLongestLiteral = INET6_ADDRSTRLEN;

std::optional<unsigned> parse_number(std::string_view text, unsigned highest) noexcept {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value > highest) return std::nullopt;
  return value;
}

bool bit(const std::array<std::uint8_t, 16>& bytes, unsigned index) noexcept {
  return ((bytes[index / 8] >> (7 - index % 8)) & 1) != 0;
}

}  // namespace

IpAddress IpAddress::v4(const std::array<std::uint8_t, 4>& bytes) noexcept {
  IpAddress ip;
  std::copy(bytes.begin(), bytes.end(), ip.bytes_.begin());
  return ip;
}

IpAddress IpAddress::v6(const std::array<std::uint8_t, 16>& bytes,
                        std::uint32_t scope_id) noexcept {
  if (std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes.begin())) {
    return v4({bytes[12], bytes[13], bytes[14], bytes[15]});
  }
  IpAddress ip;
  ip.bytes_ = bytes;
  ip.scope_id_ = scope_id;
  ip.is_v4_ = false;
  return ip;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) noexcept {
  std::array<char, kLongestLiteral + 1> terminated{};
  if (text.size() > kLongestLiteral || text.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  std::copy(text.begin(), text.end(), terminated.begin());
  std::array<std::uint8_t, 4> four;
  if (inet_pton(AF_INET, terminated.data(), four.data()) == 1) return v4(four);
  std::array<std::uint8_t, 16> sixteen;
  if (inet_pton(AF_INET6, terminated.data(), sixteen.data()) == 1) return v6(sixteen);
  return std::nullopt;
}

bool IpAddress::is_unspecified() const noexcept {
  return std::all_of(bytes_.begin(), bytes_.end(), [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::is_loopback() const noexcept {
  if (is_v4_) return bytes_[0] == 127;
  return bytes_[15] == 1 &&
         std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t byte) { return byte == 0; });
}

std::string IpAddress::to_string() const {
  std::array<char, kLongestLiteral + 1> text{};
  inet_ntop(is_v4_ ? AF_INET : AF_INET6, bytes_.data(), text.data(), text.size());
  return text.data();
}

std::optional<SocketAddress> SocketAddress::parse(std::string_view text) noexcept {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  const auto ip = IpAddress::parse(host);
  const auto port = parse_number(text.substr(colon + 1), 65535);
  if (!ip || !port || bracketed != (host.find(':') != std::string_view::npos)) return std::nullopt;
  return SocketAddress{*ip, static_cast<std::uint16_t>(*port)};
}

std::string SocketAddress::to_string() const {
  const std::string host = ip.to_string();
  return (ip.is_v4() ? host : "[" + host + "]") + ":" + std::to_string(port);
}

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) noexcept {
  const std::size_t slash = text.find('/');
  const auto ip = IpAddress::parse(text.substr(0, slash));
  if (!ip) return std::nullopt;
  const unsigned width = ip->is_v4() ? 32 : 128;
  if (slash == std::string_view::npos) return IpNetwork{*ip, static_cast<std::uint8_t>(width)};
  // A mapped network ("::ffff:192.0.2.0/120") counts the bits of the mapping as well.
  const unsigned mapping = ip->is_v4() && text.find(':') != std::string_view::npos ? 96 : 0;
  const auto written_length = parse_number(text.substr(slash + 1), mapping + width);
  if (!written_length || *written_length < mapping) return std::nullopt;
  const unsigned length = *written_length - mapping;
  for (unsigned i = length; i < width; ++i) {
    if (bit(ip->bytes(), i)) return std::nullopt;
  }
  return IpNetwork{*ip, static_cast<std::uint8_t>(length)};
}

bool IpNetwork::contains(const IpAddress& ip) const noexcept {
  if (ip.is_v4() != address.is_v4()) return false;
  const std::size_t whole = prefix_length / 8;
  if (std::memcmp(ip.bytes().data(), address.bytes().data(), whole) != 0) return false;
  const unsigned rest = prefix_length % 8u;
  if (rest == 0) return true;
  const unsigned difference = unsigned{ip.bytes()[whole]} ^ address.bytes()[whole];
  return (difference >> (8 - rest)) == 0;
}

std::string IpNetwork::to_string() const {
  return address.to_string() + "/" + std::to_string(prefix_length);
}

std::size_t SocketAddressHash::operator()(const SocketAddress& address) const noexcept {
  std::uint64_t low;
  std::uint64_t high;
  std::memcpy(&low, address.ip.bytes().data(), 8);
  std::memcpy(&high, address.ip.bytes().data() + 8, 8);
  std::uint64_t mixed = (low ^ (high * 0x9e3779b97f4a7c15ull)) + address.port +
                        (std::uint64_t{address.ip.scope_id()} << 32);
  mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9ull;
  return static_cast<std::size_t>(mixed ^ (mixed >> 29));
}

}  // namespace runnel

// IP addresses, transport addresses and networks, without any socket header.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace runnel {

/// An IPv4 or IPv6 address. IPv4 addresses mapped into IPv6 (::ffff:a.b.c.d) are stored as IPv4, so
/// that one host has one representation whichever socket it reached.
class IpAddress {
 public:
  /// 0.0.0.0
  constexpr IpAddress() noexcept = default;
  [[nodiscard]] static IpAddress v4(const std::array<std::uint8_t, 4>& bytes) noexcept;
  /// `scope_id` names the interface of a link-local address; 0 otherwise.
  [[nodiscard]] static IpAddress v6(const std::array<std::uint8_t, 16>& bytes,
                                    std::uint32_t scope_id = 0) noexcept;
  /// Literal addresses only ("192.0.2.1", "2001:db8::1"); no names, no brackets, no ports.
  [[nodiscard]] static std::optional<IpAddress> parse(std::string_view text) noexcept;

  [[nodiscard]] bool is_v4() const noexcept { return is_v4_; }
  [[nodiscard]] bool is_unspecified() const noexcept;
  [[nodiscard]] bool is_loopback() const noexcept;
  /// 16 bytes; IPv4 uses the first four and leaves the rest zero.
  [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint32_t scope_id() const noexcept { return scope_id_; }
  /// IPv6 as RFC 5952 writes it.
  [[nodiscard]] std::string to_string() const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  std::array<std::uint8_t, 16> bytes_{};
  std::uint32_t scope_id_ = 0;
  bool is_v4_ = true;
};

/// An IP address and a port.
struct SocketAddress {
  IpAddress ip;
  std::uint16_t port = 0;

  /// "192.0.2.1:5004" or "[2001:db8::1]:5004".
  [[nodiscard]] static std::optional<SocketAddress> parse(std::string_view text) noexcept;
  [[nodiscard]] std::string to_string() const;

  friend auto operator<=>(const SocketAddress&, const SocketAddress&) = default;
};

/// A network in CIDR notation: "192.0.2.0/24", "2001:db8::/32", or a single address.
struct IpNetwork {
  IpAddress address;
  std::uint8_t prefix_length = 0;

  /// Refuses set bits behind the prefix ("192.0.2.1/24"), which are nearly always a mistake.
  [[nodiscard]] static std::optional<IpNetwork> parse(std::string_view text) noexcept;
  [[nodiscard]] bool contains(const IpAddress& ip) const noexcept;
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const IpNetwork&, const IpNetwork&) = default;
};

/// For hash tables keyed by transport address.
struct SocketAddressHash {
  [[nodiscard]] std::size_t operator()(const SocketAddress& address) const noexcept;
};

}  // namespace runnel

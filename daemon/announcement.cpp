#include "daemon/announcement.h"

#include <algorithm>
#include <cstring>

#include <uv.h>

#include "daemon/socket_address.h"

namespace runnel::daemon {
namespace {

bool is_link_local(const IpAddress& ip) {
  const auto& bytes = ip.bytes();
  return ip.is_v4() ? bytes[0] == 169 && bytes[1] == 254
                    : bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool is_container_bridge(const std::string& interface) {
  constexpr std::array<std::string_view, 7> kPrefixes{"docker", "br-",    "veth", "virbr",
                                                      "cni",    "podman", "lxcbr"};
  return std::ranges::any_of(
      kPrefixes, [&](std::string_view prefix) { return interface.starts_with(prefix); });
}

// Why other machines cannot reach an address; empty when they can.
std::string_view objection(const InterfaceAddress& candidate) {
  if (candidate.address.is_loopback()) return "loopback";
  if (is_link_local(candidate.address)) return "link-local";
  if (is_container_bridge(candidate.interface)) return "container bridge";
  return {};
}

void add_once(std::vector<AnnouncedAddress>& list, AnnouncedAddress entry) {
  const bool known = std::ranges::any_of(
      list, [&](const AnnouncedAddress& other) { return other.address == entry.address; });
  if (!known) list.push_back(std::move(entry));
}

std::string joined(const std::vector<AnnouncedAddress>& list) {
  std::string text;
  for (const AnnouncedAddress& entry : list) {
    text += (text.empty() ? "" : ", ") + entry.address + " (" + entry.why + ")";
  }
  return text;
}

}  // namespace

std::string Announcement::to_string() const {
  std::string text = announced.empty() ? "nothing" : joined(announced);
  if (!left_out.empty()) text += "; not " + joined(left_out);
  return text;
}

Announcement choose_announcement(const std::vector<std::string>& entries,
                                 const std::vector<InterfaceAddress>& interfaces) {
  Announcement announcement;
  for (const std::string& entry : entries) {
    if (entry != "auto") {
      add_once(announcement.announced, {entry, "as configured"});
      continue;
    }
    for (const InterfaceAddress& candidate : interfaces) {
      const std::string address = candidate.address.to_string();
      const std::string_view reason = objection(candidate);
      if (reason.empty()) {
        add_once(announcement.announced, {address, candidate.interface});
      } else {
        add_once(announcement.left_out,
                 {address, candidate.interface + ": " + std::string(reason)});
      }
    }
  }
  return announcement;
}

std::vector<InterfaceAddress> interface_addresses() {
  uv_interface_address_t* list = nullptr;
  int count = 0;
  std::vector<InterfaceAddress> addresses;
  if (uv_interface_addresses(&list, &count) != 0) return addresses;
  for (int i = 0; i < count; ++i) {
    KernelAddress kernel_address;
    static_assert(sizeof list[i].address == sizeof kernel_address);
    std::memcpy(&kernel_address, &list[i].address, sizeof kernel_address);
    const auto address = from_kernel(kernel_address, sizeof kernel_address);
    if (address) addresses.push_back({list[i].name, address->ip});
  }
  uv_free_interface_addresses(list, count);
  return addresses;
}

}  // namespace runnel::daemon

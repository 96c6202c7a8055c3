#include "daemon/announcement.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

bool is_bound(const IpAddress& address, const std::vector<IpAddress>& bound) {
  return std::ranges::any_of(bound, [&](const IpAddress& local) {
    return local == address || (local.is_unspecified() && local.is_v4() == address.is_v4());
  });
}

// Why other machines cannot reach an address; empty when they can.
std::string_view objection(const InterfaceAddress& candidate, const std::vector<IpAddress>& bound) {
  if (candidate.address.is_loopback()) return "loopback";
  if (is_link_local(candidate.address)) return "link-local";
  if (is_container_bridge(candidate.interface)) return "container bridge";
  if (!is_bound(candidate.address, bound)) return "not listened on";
  return {};
}

class Choice {
 public:
  explicit Choice(const Surroundings& surroundings) : surroundings_(surroundings) {}

  void take(const std::string& entry) {
    if (entry == "auto") return take_interfaces();
    if (const auto literal = IpAddress::parse(entry)) return announce(*literal, "as configured");
    const auto name = surroundings_.names.find(entry);
    if (name == surroundings_.names.end() || name->second.empty()) {
      return leave_out(entry, "its address is not known");
    }
    for (const IpAddress& address : name->second) announce(address, entry);
  }

  Announcement result() && { return std::move(announcement_); }

 private:
  void take_interfaces() {
    bool has_found = false;
    for (const auto& candidate : surroundings_.interfaces) {
      if (!objection(candidate, surroundings_.bound).empty()) continue;
      announce(candidate.address, candidate.interface);
      has_found = true;
    }
    for (const auto& candidate : surroundings_.interfaces) {
      const auto reason = objection(candidate, surroundings_.bound);
      if (reason.empty()) continue;
      const bool is_of_use =
          candidate.address.is_loopback() && is_bound(candidate.address, surroundings_.bound);
      if (!has_found && is_of_use) {
        announce(candidate.address, candidate.interface + ": for this machine alone");
      } else {
        leave_out(candidate.address.to_string(), candidate.interface + ": " + std::string(reason));
      }
    }
  }

  void announce(const IpAddress& address, const std::string& why) {
    auto& list = announcement_.announced;
    if (std::ranges::find(list, address, &AnnouncedAddress::address) != list.end()) return;
    if (list.size() == Announcement::kMost) return leave_out(address.to_string(), "too many");
    list.push_back({address, why});
  }

  void leave_out(const std::string& address, const std::string& why) {
    auto& list = announcement_.left_out;
    if (std::ranges::find(list, address, &LeftOut::address) == list.end()) {
      list.push_back({address, why});
    }
  }

  const Surroundings& surroundings_;
  Announcement announcement_;
};

void append(std::string& list, const std::string& address, const std::string& why) {
  list += (list.empty() ? "" : ", ") + address + " (" + why + ")";
}

}  // namespace

std::vector<IpAddress> Announcement::addresses() const {
  std::vector<IpAddress> list;
  for (const AnnouncedAddress& entry : announced) list.push_back(entry.address);
  return list;
}

std::string Announcement::to_string() const {
  std::string text;
  for (const AnnouncedAddress& entry : announced)
    append(text, entry.address.to_string(), entry.why);
  if (text.empty()) text = "nothing";
  std::string others;
  for (const LeftOut& entry : left_out) append(others, entry.address, entry.why);
  return others.empty() ? text : text + "; not " + others;
}

Announcement choose_announcement(const std::vector<std::string>& entries,
                                 const Surroundings& surroundings) {
  Choice choice(surroundings);
  for (const std::string& entry : entries) choice.take(entry);
  return std::move(choice).result();
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

// A transport address as the system's calls want it.
#pragma once

#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/base/address.h"

namespace runnel::load {

class SystemAddress {
 public:
  explicit SystemAddress(const SocketAddress& address) noexcept {
    const auto& bytes = address.ip.bytes();
    if (address.ip.is_v4()) {
      auto* v4 = reinterpret_cast<sockaddr_in*>(&storage_);
      v4->sin_family = AF_INET;
      v4->sin_port = htons(address.port);
      std::memcpy(&v4->sin_addr, bytes.data(), sizeof v4->sin_addr);
      size_ = sizeof *v4;
    } else {
      auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage_);
      v6->sin6_family = AF_INET6;
      v6->sin6_port = htons(address.port);
      std::memcpy(&v6->sin6_addr, bytes.data(), sizeof v6->sin6_addr);
      size_ = sizeof *v6;
    }
  }

  [[nodiscard]] int family() const noexcept { return storage_.ss_family; }
  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage_);
  }
  [[nodiscard]] socklen_t size() const noexcept { return size_; }

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

}  // namespace runnel::load

#include "config/page_address.h"

namespace runnel::config {

std::string page_address(const Config& config) {
  if (config.signalling.empty()) return "";
  SocketAddress address = config.signalling.front().address;
  if (address.ip.is_unspecified()) {
    address.ip = address.ip.is_v4()
                     ? IpAddress::v4({127, 0, 0, 1})
                     : IpAddress::v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  }
  return (config.tls ? "https://" : "http://") + address.to_string() + "/";
}

}  // namespace runnel::config

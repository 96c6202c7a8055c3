#include "daemon/signalling/whip_setup.h"

namespace runnel::daemon {

whip::Settings whip_settings(const config::Config& config) {
  whip::Settings settings;
  for (const config::IceServer& server : config.webrtc.ice_servers) {
    settings.ice_servers.push_back(
        {.urls = server.urls, .username = server.username, .credential = server.credential});
  }
  return settings;
}

}  // namespace runnel::daemon

#include "config/load_access.h"

#include <algorithm>

#include "config/load_auth.h"
#include "config/load_certificate_files.h"
#include "config/load_signalling.h"
#include "config/load_webrtc.h"

namespace runnel::config {
namespace {

void load_tls(const Value& value, const Surroundings& surroundings, Config& config) {
  const auto map = value.mapping(kTlsSchema);
  if (map && !value.is_null()) config.tls = load_certificate_files(*map, surroundings);
}

void check_who_reaches_us(const Config& config, ProblemList& problems) {
  const auto open =
      std::find_if(config.signalling.begin(), config.signalling.end(),
                   [](const Listen& listen) { return !listen.address.ip.is_loopback(); });
  if (open == config.signalling.end()) return;
  if (!config.auth.is_configured) {
    problems.error(open->origin,
                   open->address.to_string() +
                       " can be reached from elsewhere, and nothing says who may do what",
                   "add auth with tokens (see config/runnel.yaml), or auth: {open: true} when "
                   "everybody may do everything, or listen on 127.0.0.1");
  } else if (config.auth.settings.policy == auth::Policy::open) {
    problems.warn(config.auth.origin,
                  "everybody who reaches " + open->address.to_string() +
                      " may publish, take over and watch every stream",
                  "add tokens instead of open, or listen on 127.0.0.1");
  }
}

}  // namespace

void load_access(const Mapping& root, const Surroundings& surroundings, Config& config,
                 ProblemList& problems) {
  if (const auto value = root.find("tls")) load_tls(*value, surroundings, config);
  if (const auto value = root.find("signalling")) {
    load_signalling(*value, config.signalling_settings);
  }
  if (const auto value = root.find("webrtc")) load_webrtc(*value, surroundings, config.webrtc);
  const auto value = root.find("auth");
  const bool is_good = !value || load_auth(*value, surroundings, config.auth);
  if (is_good) check_who_reaches_us(config, problems);
}

}  // namespace runnel::config

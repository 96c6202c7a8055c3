// What the log says before "ready": the version, the machine, the ports, signalling, the relays.
#pragma once

#include <string>

#include "config/config.h"
#include "daemon/log.h"
#include "daemon/port_plan.h"
#include "daemon/socket_capabilities.h"

namespace runnel::daemon {

/// The program, and which of its fast paths this machine allows.
void log_machine(Log& log, const config::Config& config, const SocketCapabilities& capabilities);
/// What is listened on; a warning where what is announced is a container's.
void log_network(Log& log, const config::Config& config, const PortPlan& plan);
/// How browsers connect for media. `fingerprint` is that of the certificate of DTLS; empty: they do
/// not.
void log_webrtc(Log& log, const config::Config& config, const std::string& fingerprint);
/// Where signalling and the page are served, how and to whom; warnings where that is to everybody
/// or in the clear. `certificate` describes that of TLS.
void log_signalling(Log& log, const config::Config& config, const std::string& certificate);
/// A line for each relay and for each of its outputs; of many outputs, the first kMaxOutputLines.
inline constexpr std::size_t kMaxOutputLines = 20;
void log_relays(Log& log, const config::Config& config);

}  // namespace runnel::daemon

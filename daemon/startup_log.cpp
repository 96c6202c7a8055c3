#include "daemon/startup_log.h"

#include <algorithm>
#include <ranges>

#include <spdlog/fmt/fmt.h>

#include "config/page_address.h"
#include "core/crypto/aes_ctr.h"
#include "core/crypto/hmac_sha1.h"
#include "core/srtp/profile.h"
#include "daemon/container.h"
#include "daemon/version.h"

namespace runnel::daemon {
namespace {

crypto::HmacSha1Kernel best_hmac_sha1_kernel() {
  const auto fastest_first = crypto::kHmacSha1Kernels | std::views::reverse;
  return *std::ranges::find_if(fastest_first,
                               [](crypto::HmacSha1Kernel kernel) { return is_supported(kernel); });
}

void append(std::string& list, std::string_view item, std::string_view separator = ", ") {
  if (!list.empty()) list += separator;
  list += item;
}

std::string_view protection(const std::optional<config::Srtp>& srtp) {
  return srtp ? to_string(srtp->suite) : "plain RTP";
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "2 tokens, 1 JWT key"
std::string describe(const config::Auth& auth) {
  if (!auth.is_configured) return "without tokens, for this machine alone";
  if (auth.settings.policy == auth::Policy::open) return "open";
  return counted(auth.settings.tokens.size(), "token") + ", " +
         counted(auth.settings.jwt.keys.size(), "JWT key");
}

// "video H264/90000 on 0.0.0.0:5004, audio opus/48000/2 on 0.0.0.0:5006 (AES_CM_128_HMAC_SHA1_80)"
std::string describe(const config::SourceLeg& leg) {
  std::string text;
  for (const config::SourceMedium& medium : leg.media) {
    append(text, fmt::format("{} {} on {}", medium.name, medium.codec.rtpmap(),
                             medium.listen.address.to_string()));
  }
  return fmt::format("{} ({})", text, protection(leg.srtp));
}

// "video to 198.51.100.9:6000, audio to its first authenticated packet's origin (plain RTP)"
std::string describe(const config::ReceiverLeg& leg, const config::SourceLeg& source) {
  std::string text;
  for (const config::ReceiverMedium& medium : leg.media) {
    append(text, fmt::format("{} to {}", source.media[medium.source].name,
                             medium.send ? medium.send->to_string()
                                         : "where its first authenticated packet comes from"));
  }
  return fmt::format("{} ({})", text, protection(leg.srtp));
}

}  // namespace

void log_machine(Log& log, const config::Config& config, const SocketCapabilities& capabilities) {
  log.info(fmt::format("runneld {}, configured by {}", version(), config.file),
           {{"version", version()}, {"config", config.file}});
  const auto aes = to_string(crypto::best_aes_ctr_kernel());
  const auto hmac = to_string(best_hmac_sha1_kernel());
  std::string calls = capabilities.recvmmsg ? "recvmmsg" : "recvmsg";
  append(calls, capabilities.sendmmsg ? "sendmmsg" : "sendmsg");
  if (capabilities.udp_segment) append(calls, "UDP_SEGMENT");
  log.info(fmt::format("kernels: AES-CTR {}, HMAC-SHA1 {}; UDP by {}", aes, hmac, calls),
           {{"aes_ctr", aes}, {"hmac_sha1", hmac}, {"udp", calls}});
}

void log_network(Log& log, const config::Config& config, const PortPlan& plan) {
  std::string ports;
  for (const PlannedPort& port : plan.ports()) append(ports, port.address.to_string());
  log.info(fmt::format("listening on UDP {}", ports.empty() ? "nothing" : ports),
           {{"ports", ports}});
  const bool is_auto = std::ranges::all_of(
      config.announce, [](const std::string& entry) { return entry == "auto"; });
  if (is_auto && !config.announce.empty() && is_in_container_network()) {
    log.warning(
        fmt::format("this runs in a container, whose addresses nobody outside of it can reach: add "
                    "the line 'announce: [auto, \"ADDRESS\"]' to {}, with the address or name by "
                    "which clients reach this machine, or use the host's network",
                    config.file),
        {{"event", "container_without_announce"}});
  }
}

void log_webrtc(Log& log, const config::Config& config, const std::string& fingerprint) {
  if (fingerprint.empty()) {
    log.info("WebRTC is not served");
    return;
  }
  const char* ways = config.media.empty() ? "TCP" : config.webrtc.ice_tcp ? "UDP and TCP" : "UDP";
  log.info(fmt::format("WebRTC by {}, with {} certificate, {}", ways,
                       config.webrtc.certificate ? "the configured" : "a new", fingerprint),
           {{"webrtc", ways}, {"fingerprint", fingerprint}});
}

void log_signalling(Log& log, const config::Config& config, const std::string& certificate) {
  if (config.signalling.empty()) {
    log.info("signalling is not served: listen.signalling is empty");
    return;
  }
  std::string addresses;
  bool is_local = true;
  for (const config::Listen& listen : config.signalling) {
    append(addresses, listen.address.to_string());
    is_local = is_local && listen.address.ip.is_loopback();
  }
  const std::string auth = describe(config.auth);
  log.info(fmt::format("signalling on TCP {}, {}; {}", addresses,
                       certificate.empty() ? "in the clear" : "by TLS (" + certificate + ")", auth),
           {{"signalling", addresses}, {"tls", !certificate.empty()}, {"auth", auth}});
  const std::string page = config::page_address(config);
  log.info("the page is at " + page, {{"page", page}});
  const bool is_open = config.auth.settings.policy == auth::Policy::open;
  if (is_open && config.auth.is_configured) {
    log.warning(
        "signalling is open: everyone who reaches it may publish and subscribe (auth.open)");
  }
  if (!is_open && !is_local && certificate.empty()) {
    log.warning(
        "signalling is in the clear: tokens and keys can be read on their way; configure 'tls', or "
        "have a proxy speak it");
  }
}

void log_relays(Log& log, const config::Config& config) {
  if (config.relays.empty() && config.signalling.empty()) {
    log.warning("the configuration has neither relays nor signalling: there is nothing to do");
  }
  for (const config::Relay& relay : config.relays) {
    log.info(fmt::format("{}: from {}", relay.stream, describe(relay.from)),
             {{"stream", relay.stream}, {"outputs", relay.to.size()}});
    for (std::size_t i = 0; i < std::min(relay.to.size(), kMaxOutputLines); ++i) {
      log.info(
          fmt::format("{} output {}: {}", relay.stream, i + 1, describe(relay.to[i], relay.from)),
          {{"stream", relay.stream}, {"output", i + 1}});
    }
    if (relay.to.size() > kMaxOutputLines) {
      log.info(
          fmt::format("{}: and {} more outputs", relay.stream, relay.to.size() - kMaxOutputLines),
          {{"stream", relay.stream}});
    }
  }
}

}  // namespace runnel::daemon

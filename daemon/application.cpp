#include "daemon/application.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "config/loader.h"
#include "daemon/announcer.h"
#include "daemon/clock.h"
#include "daemon/commands.h"
#include "daemon/entropy.h"
#include "daemon/event_log.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/memory_return.h"
#include "daemon/port_binding.h"
#include "daemon/relay_setup.h"
#include "daemon/resolver.h"
#include "daemon/resource_limits.h"
#include "daemon/service_notify.h"
#include "daemon/signalling/certificate.h"
#include "daemon/signalling/listeners.h"
#include "daemon/signalling/signalling.h"
#include "daemon/startup_log.h"
#include "daemon/statistics_log.h"
#include "daemon/webrtc_setup.h"
#include "daemon/worker.h"

namespace runnel::daemon {
namespace {

/// A relay that is set up. Members are destroyed in the opposite order, the loop last.
class Application {
 public:
  /// `certificate` is that of DTLS; absent: no WebRTC.
  Application(config::Config& config, Log& log, std::vector<UdpSocket> sockets,
              SocketCapabilities capabilities, std::optional<dtls::Context> certificate)
      : config_(config),
        log_(log),
        certificate_(std::move(certificate)),
        transports_(make_transports()),
        engine_(engine_limits(config), random_, transports_.get()),
        first_tcp_port_(static_cast<PortIndex>(sockets.size())),
        events_(log, config, engine_),
        statistics_(log, read_clock()),
        notify_(ServiceManager::from_environment()),
        worker_(loop_, engine_, std::move(sockets), capabilities, events_) {
    if (!transports_) return;
    events_.know_peers(*transports_, first_tcp_port_);
    memory_timer_.start_repeating(std::chrono::seconds(10));
    if (!config_.webrtc.ice_tcp) return;
    for (std::size_t i = 0; i < config_.signalling.size(); ++i) {
      engine_.add_shared_port(
          static_cast<PortIndex>(static_cast<std::size_t>(first_tcp_port_) + i));
    }
  }

  /// Problems with single relays.
  [[nodiscard]] std::vector<config::Problem> add(const PortPlan& plan, RelaySetup& setup) {
    std::vector<config::Problem> problems = add_relays(engine_, config_, plan, setup);
    const auto apply = [this](const relay::ReceiverMediumId& receiver, const SocketAddress& rtp,
                              const SocketAddress& rtcp) {
      return worker_.set_destination(receiver, rtp, rtcp);
    };
    resolver_.emplace(loop_, std::move(setup.names), apply, log_);
    announcer_.emplace(
        loop_, config_.announce, bound_for_media(config_, plan),
        [this](const std::vector<IpAddress>& addresses) {
          if (signalling_) signalling_->set_addresses(addresses);
        },
        log_);
    return problems;
  }

  /// Once the relays are there.
  void serve(SignallingParts parts) {
    if (transports_) {
      parts.desk.webrtc.transports = transports_.get();
      parts.desk.webrtc.fingerprint = certificate_->fingerprint();
    }
    if (transports_ && config_.webrtc.ice_tcp) {
      parts.ice_tcp = IceTcpSettings{first_tcp_port_, transports_.get()};
      for (const TcpListener& listener : parts.listeners) {
        parts.desk.webrtc.tcp_ports.push_back(listener.local_address());
      }
    }
    signalling_.emplace(loop_, config_, std::move(parts), engine_, random_, log_);
    events_.know_desk(signalling_->desk());
    worker_.serve(signalling_->server());
  }

  [[nodiscard]] ExitCode run() {
    if (const auto started = worker_.start(); !started) {
      log_.error(fmt::format("cannot watch the ports: {} failed: {}", started.error().operation,
                             std::strerror(started.error().code)));
      return ExitCode::environment;
    }
    resolver_->start();
    announcer_->start();
    if (config_.log.statistics_interval.count() > 0) {
      statistics_timer_.start_repeating(config_.log.statistics_interval);
    }
    if (const auto interval = notify_.watchdog_interval()) {
      watchdog_timer_.start_repeating(*interval);
    }
    log_.info("ready");
    notify_.ready(fmt::format("relaying {} stream{}", config_.relays.size(),
                              config_.relays.size() == 1 ? "" : "s"));
    loop_.run();
    return ExitCode::ok;
  }

  /// A look-up that hangs would hold up the program's end for as long as it hangs.
  [[nodiscard]] bool must_not_wait() const {
    return (resolver_ && resolver_->is_busy()) || (announcer_ && announcer_->is_busy());
  }

 private:
  std::unique_ptr<transport::Transports> make_transports() {
    if (!certificate_) return nullptr;
    return std::make_unique<transport::Transports>(transport_limits(config_.limits), *certificate_,
                                                   random_);
  }

  void write_statistics() {
    worker_.count_receive_overflows();
    statistics_.write(read_clock(), engine_);
    if (transports_) statistics_.write(transports_->counts());
    if (signalling_) {
      statistics_.write(signalling_->server().statistics(), signalling_->desk().counts());
    }
  }

  void reload_certificate() {
    if (config_.tls && signalling_) {
      auto context = load_certificate(*config_.tls, read_wall_clock() / 1'000'000);
      if (!context) {
        return log_.error(context.error().to_string() +
                          "; connections go on with the certificate as it was");
      }
      for (const std::string& warning : context->warnings()) log_.warning(warning);
      log_.info("SIGHUP: new connections use the certificate " + context->description(),
                {{"event", "certificate_reloaded"}});
      signalling_->server().set_tls(std::move(*context));
    }
    log_.info(
        "SIGHUP: all but the certificate is read at start only; restart runneld for a new "
        "configuration to take effect");
  }

  void end(const char* signal_name) {
    // From now on each of the two signals ends the program at once.
    terminate_.stop();
    interrupt_.stop();
    log_.info(fmt::format("{}: saying goodbye to everybody", signal_name));
    notify_.stopping();
    worker_.shut_down([this] {
      write_statistics();
      loop_.stop();
    });
  }

  config::Config& config_;
  Log& log_;
  SystemRandom random_;
  EventLoop loop_;
  std::optional<dtls::Context> certificate_;
  std::unique_ptr<transport::Transports> transports_;
  relay::Engine engine_;
  PortIndex first_tcp_port_{};  // behind those of UDP
  EventLog events_;
  StatisticsLog statistics_;
  ServiceNotify notify_;
  std::optional<Signalling> signalling_;
  Worker worker_;
  std::optional<Resolver> resolver_;
  std::optional<Announcer> announcer_;
  Timer statistics_timer_{loop_, [this] { write_statistics(); }};
  MemoryReturn memory_;
  Timer memory_timer_{loop_, [this] { memory_.look_at(transports_->size()); }};
  Timer watchdog_timer_{loop_, [this] { notify_.still_alive(); }};
  SignalWatch terminate_{loop_, SIGTERM, [this] { end("SIGTERM"); }};
  SignalWatch interrupt_{loop_, SIGINT, [this] { end("SIGINT"); }};
  SignalWatch show_statistics_{loop_, SIGUSR1, [this] { write_statistics(); }};
  SignalWatch hang_up_{loop_, SIGHUP, [this] { reload_certificate(); }};
};

void log_problems(Log& log, const std::vector<config::Problem>& problems) {
  for (const config::Problem& problem : problems) log.error(problem.to_string());
}

// All but the settings of the desk.
std::expected<SignallingParts, std::vector<config::Problem>> prepare_signalling(
    const config::Config& config, Log& log) {
  auto origins = origin_policy(config);
  if (!origins) return std::unexpected(std::vector{std::move(origins.error())});
  std::optional<tls::ServerContext> tls;
  if (config.tls) {
    auto context = load_certificate(*config.tls, read_wall_clock() / 1'000'000);
    if (!context) return std::unexpected(std::vector{std::move(context.error())});
    for (const std::string& warning : context->warnings()) log.warning(warning);
    tls = std::move(*context);
  }
  std::optional<dtls::Context> dtls;
  if (serves_webrtc(config)) {
    auto context = load_dtls_certificate(config);
    if (!context) return std::unexpected(std::vector{std::move(context.error())});
    dtls = std::move(*context);
  }
  return SignallingParts{.listeners = {},
                         .origins = std::move(*origins),
                         .tls = std::move(tls),
                         .dtls = std::move(dtls),
                         .desk = {}};
}

void warn_of_few_descriptors(Log& log, const config::Config& config, std::size_t descriptors,
                             std::size_t ports) {
  constexpr std::size_t kOwn = 64;  // the log, the loop, files that are read
  if (config.signalling.empty() || descriptors >= config.limits.connections + ports + kOwn) return;
  log.warning(fmt::format(
      "this process may open {} files, too few for limits.connections ({}) and {} ports: raise "
      "LimitNOFILE= of the service or 'ulimit -Hn', or lower limits.connections",
      descriptors, config.limits.connections, ports));
}

ExitCode set_up_and_run(config::Config& config, Log& log) {
  const std::size_t descriptors = raise_open_file_limit();
  const SocketCapabilities capabilities = probe_socket_capabilities();
  log_machine(log, config, capabilities);
  const PortPlan plan(config, has_ipv6());
  auto setup = describe_relays(config, plan);
  if (!setup) {
    log_problems(log, setup.error());
    return ExitCode::configuration;
  }
  auto signalling = prepare_signalling(config, log);
  if (!signalling) {
    log_problems(log, signalling.error());
    return ExitCode::configuration;
  }
  auto bound = bind_ports(plan, config.limits);
  auto listeners = bind_listeners(config.signalling);
  if (!bound || !listeners) {
    if (!bound) log_problems(log, bound.error());
    if (!listeners) log_problems(log, listeners.error());
    return ExitCode::environment;
  }
  warn_of_few_descriptors(log, config, descriptors, plan.ports().size());
  signalling->listeners = std::move(*listeners);
  signalling->desk = desk_settings(config, plan, bound->sockets);
  for (std::string& warning : bound->warnings) log.warning(std::move(warning));
  auto application = std::make_unique<Application>(config, log, std::move(bound->sockets),
                                                   capabilities, signalling->dtls);
  if (const auto problems = application->add(plan, *setup); !problems.empty()) {
    log_problems(log, problems);
    return ExitCode::configuration;
  }
  log_network(log, config, plan);
  log_webrtc(log, config, signalling->dtls ? signalling->dtls->fingerprint().to_string() : "");
  log_signalling(log, config, signalling->tls ? signalling->tls->description() : "");
  log_relays(log, config);
  if (!config.signalling.empty()) application->serve(std::move(*signalling));
  const ExitCode code = application->run();
  if (application->must_not_wait()) {
    log.close();
    std::_Exit(static_cast<int>(code));
  }
  return code;
}

}  // namespace

ExitCode run(const RunCommand& command) {
  // A log whose reader has gone must not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  auto loaded = config::load_file(command.config_file);
  if (!loaded) {
    print_problems(loaded.error());
    return ExitCode::configuration;
  }
  Log log(command.log_level.value_or(loaded->config.log.level), loaded->config.log.format);
  for (const config::Problem& warning : loaded->warnings) log.warning(warning.to_string());
  return set_up_and_run(loaded->config, log);
}

}  // namespace runnel::daemon

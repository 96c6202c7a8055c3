// A server with a desk and a worker on a loop of the test's own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "core/auth/authenticator.h"
#include "core/dtls/context.h"
#include "core/session/desk.h"
#include "core/transport/transports.h"
#include "daemon/entropy.h"
#include "daemon/event_log.h"
#include "daemon/relay_setup.h"
#include "daemon/signalling/server.h"
#include "daemon/worker.h"
#include "tests/unit/daemon/run_until.h"
#include "tests/unit/daemon/signalling/tcp_client.h"

namespace runnel::daemon {

struct ServingOptions {
  ServerSettings server;
  std::vector<std::string> origins;
  bool local_only = true;
  bool token_in_query = false;
  bool ice_tcp = false;  // ports are numbered from 0, as there are none of UDP
  auth::Settings auth;
};

class Serving {
 public:
  explicit Serving(ServingOptions options = {})
      : transports_(make_transports(options)),
        authenticator_(std::move(options.auth)),
        desk_({}, authenticator_, engine_, random_),
        server_(
            loop_, desk_,
            RequestHandler(desk_, OriginPolicy::create(options.origins, options.local_only).value(),
                           options.token_in_query),
            settings_of(options), listen(), log_, 7),
        worker_(loop_, engine_, {}, SocketCapabilities{}, events_) {
    if (transports_) {
      events_.know_peers(*transports_, PortIndex{});
      engine_.add_shared_port(PortIndex{});
    }
    worker_.serve(server_);
    EXPECT_TRUE(worker_.start());
  }

  [[nodiscard]] const SocketAddress& address() const {
    return server_.listeners().front().local_address();
  }
  [[nodiscard]] Server& server() { return server_; }
  [[nodiscard]] const relay::Engine& engine() const { return engine_; }
  /// With ICE-TCP.
  [[nodiscard]] transport::Transports& transports() { return *transports_; }
  [[nodiscard]] const dtls::Context& certificate() const { return *certificate_; }
  [[nodiscard]] Worker& worker() { return worker_; }
  [[nodiscard]] const session::Desk& desk() const { return desk_; }
  /// Nothing can be logged afterwards.
  std::string log() {
    log_.close();
    return log_text_.str();
  }

  /// Runs the loop until `done` or for ten seconds.
  bool run_until(const std::function<bool()>& done) { return daemon::run_until(loop_, done); }
  /// Until the client has received `text`.
  bool run_until_received(TcpClient& client, const std::string& text) {
    return run_until([&] { return client.received().find(text) != std::string::npos; });
  }
  bool run_until_ended(TcpClient& client) {
    return run_until([&] { return client.has_ended() || client.was_reset(); });
  }
  /// What the server answers until it ends the connection.
  std::string answer_to(const std::string& request) {
    TcpClient client(address());
    client.send(request);
    EXPECT_TRUE(run_until_ended(client)) << client.received();
    EXPECT_FALSE(client.was_reset());
    return client.received();
  }

 private:
  std::unique_ptr<transport::Transports> make_transports(const ServingOptions& options) {
    if (!options.ice_tcp) return nullptr;
    certificate_ = dtls::Context::self_signed().value();
    return std::make_unique<transport::Transports>(transport::TransportLimits{}, *certificate_,
                                                   random_);
  }
  ServerSettings settings_of(ServingOptions& options) {
    if (options.ice_tcp) options.server.ice_tcp = IceTcpSettings{PortIndex{}, transports_.get()};
    return std::move(options.server);
  }
  static std::vector<TcpListener> listen() {
    std::vector<TcpListener> listeners;
    listeners.push_back(TcpListener::bind(SocketAddress::parse("127.0.0.1:0").value()).value());
    return listeners;
  }

  config::Config config_;
  std::ostringstream log_text_;
  Log log_{config::LogLevel::debug, config::LogFormat::text,
           std::make_shared<spdlog::sinks::ostream_sink_mt>(log_text_)};
  EventLoop loop_;
  SystemRandom random_;
  std::optional<dtls::Context> certificate_;
  std::unique_ptr<transport::Transports> transports_;
  relay::Engine engine_{engine_limits(config_), random_, transports_.get()};
  EventLog events_{log_, config_, engine_};
  auth::Authenticator authenticator_;
  session::Desk desk_;
  Server server_;
  Worker worker_;
};

/// A request that wants the connection closed after the answer.
inline std::string get(const std::string& path, const std::string& more_fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more_fields +
         "\r\n";
}

/// How often `part` stands in `text`.
inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace runnel::daemon

// The same port through TLS; who knocks at the wrong door is told so, or let go.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "daemon/clock.h"
#include "tests/unit/core/tls/client.h"
#include "tests/unit/daemon/signalling/serving.h"
#include "tests/unit/daemon/signalling/websocket_client.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

tls::ServerContext make_context(const std::string& name = "live.example") {
  const auto key = tls::make_ec_key();
  tls::CertificateOptions options;
  options.name = name;
  const auto certificate = tls::make_certificate(*key, options);
  return tls::ServerContext::create(tls::pem_of(*certificate), tls::pem_of(*key), tls::kNow)
      .value();
}

ServingOptions with_tls() {
  ServingOptions options;
  options.server.tls = make_context();
  return options;
}

/// TLS over a TcpClient.
class TlsClient {
 public:
  explicit TlsClient(const SocketAddress& server) : tcp(server) {}

  /// Moves what there is to move. Whether the handshake is done.
  bool poll() {
    const std::string ciphertext = tcp.take();
    if (!ciphertext.empty()) client.put_input(bytes_of(ciphertext));
    const bool is_open = client.handshake();
    if (is_open) plaintext += client.read();
    waiting += client.take_output();
    waiting.erase(0, tcp.send(waiting));
    return is_open;
  }
  bool has(std::string_view text) {
    poll();
    return plaintext.find(text) != std::string::npos;
  }

  TcpClient tcp;
  tls::Client client;
  std::string plaintext;
  std::string waiting;
};

TEST(ServerTls, ServesHttp) {
  Serving serving(with_tls());
  TlsClient client(serving.address());
  ASSERT_TRUE(serving.run_until([&] { return client.poll(); }));
  client.client.write(get("/healthz"));
  EXPECT_TRUE(serving.run_until([&] { return client.has("ok\n"); }));
  EXPECT_TRUE(serving.run_until([&] {
    client.poll();
    return client.client.has_close_notify();
  }));
}

// Larger than what TLS takes at once, to a client that reads slowly.
TEST(ServerTls, DeliversMoreThanBuffersHold) {
  Serving serving(with_tls());
  TlsClient client(serving.address());
  ASSERT_TRUE(serving.run_until([&] { return client.poll(); }));
  std::string requests;
  for (int i = 0; i < 99; ++i) {
    requests += "GET /v1/schema.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }
  client.client.write(requests + get("/healthz"));
  EXPECT_TRUE(serving.run_until([&] { return client.has("ok\n"); }));
  EXPECT_EQ(count_of(client.plaintext, "HTTP/1.1 200 OK"), 100u);
}

TEST(ServerTls, ServesWebSockets) {
  Serving serving(with_tls());
  TlsClient client(serving.address());
  ASSERT_TRUE(serving.run_until([&] { return client.poll(); }));
  WebSocketClient codec(serving.address());  // for its frames alone
  client.client.write(upgrade_request() + codec.text_frame(R"({"id":1,"do":"hello"})"));
  EXPECT_TRUE(serving.run_until([&] { return client.has("\"session\""); }));
}

TEST(ServerTls, TellsAPlainRequestToUseTls) {
  Serving serving(with_tls());
  EXPECT_THAT(serving.answer_to(get("/healthz")),
              AllOf(StartsWith("HTTP/1.1 400 "), EndsWith("this port speaks TLS; use https://\n")));
}

TEST(ServerTls, ClosesOnWhatIsNeither) {
  Serving serving(with_tls());
  EXPECT_EQ(serving.answer_to(std::string("\x00\x01\x02", 3)), "");
}

TEST(ServerTls, ClosesOnTlsWhereNoneIsSpoken) {
  Serving serving;
  TlsClient client(serving.address());
  EXPECT_TRUE(serving.run_until([&] {
    client.poll();
    return client.tcp.has_ended();
  }));
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 0; }));
  EXPECT_THAT(serving.log(), HasSubstr("speaks TLS on a port in the clear"));
}

TEST(ServerTls, EndsHandshakesThatDoNotCome) {
  ServingOptions options = with_tls();
  options.server.connection.http.header_timeout = 30ms;
  options.server.connection.linger = 30ms;
  Serving serving(std::move(options));
  TcpClient client(serving.address());
  client.send("\x16\x03");
  EXPECT_TRUE(serving.run_until_ended(client));
  EXPECT_TRUE(serving.run_until([&] { return serving.server().statistics().connections == 0; }));
}

TEST(ServerTls, UsesANewCertificateForNewConnections) {
  Serving serving(with_tls());
  TlsClient old_client(serving.address());
  ASSERT_TRUE(serving.run_until([&] { return old_client.poll(); }));
  serving.server().set_tls(make_context("new.example"));
  TlsClient new_client(serving.address());
  ASSERT_TRUE(serving.run_until([&] { return new_client.poll(); }));
  const tls::X509Ptr certificate(SSL_get1_peer_certificate(new_client.client.ssl()));
  char name[64] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                            sizeof name);
  EXPECT_STREQ(name, "new.example");
  old_client.client.write(get("/healthz"));
  EXPECT_TRUE(serving.run_until([&] { return old_client.has("ok\n"); })) << "the old one goes on";
}

}  // namespace
}  // namespace runnel::daemon

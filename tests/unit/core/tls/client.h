// A TLS client in memory, and the wire between it and a Stream.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <openssl/ssl.h>

#include "core/tls/openssl_handle.h"
#include "core/tls/stream.h"
#include "tests/unit/core/tls/certificates.h"

namespace runnel::tls {

struct ClientOptions {
  int min_version = TLS1_2_VERSION;
  int max_version = TLS1_3_VERSION;
  /// Protocols offered; none: no ALPN.
  std::vector<std::string> protocols = {};
  /// OpenSSL's list of cipher suites of TLS 1.2.
  std::string ciphers = "DEFAULT:@SECLEVEL=0";
  /// Verifies the server against it, at kNow.
  X509* trusted = nullptr;
};

class Client {
 public:
  explicit Client(const ClientOptions& options = {});

  /// Goes on with the handshake. Whether it is done.
  bool handshake();
  /// What the client wants to send.
  [[nodiscard]] std::string take_output();
  void put_input(ByteView ciphertext);
  bool write(std::string_view plaintext);
  /// All plaintext that is there.
  [[nodiscard]] std::string read();
  void close() { SSL_shutdown(ssl_.get()); }

  [[nodiscard]] SSL* ssl() noexcept { return ssl_.get(); }
  [[nodiscard]] bool has_close_notify() const noexcept {
    return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }
  [[nodiscard]] std::string protocol() const;
  /// The reason of the last failure: an alert of the server, for example.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  void note(int outcome);

  SslContextPtr context_;
  SslPtr ssl_;
  BIO* in_ = nullptr;
  BIO* out_ = nullptr;
  std::string failure_;
};

[[nodiscard]] ByteView bytes_of(std::string_view text) noexcept;

/// Hands `stream` all of `ciphertext`, `piece` bytes at a time, and answers the plaintext.
std::string deliver(Stream& stream, std::string_view ciphertext, std::size_t piece = 1 << 20);

/// Carries bytes both ways until both are silent. Answers what the server has read.
std::string exchange(Client& client, Stream& stream, std::size_t piece = 1 << 20);

/// With a fresh EC key.
[[nodiscard]] const ServerContext& sample_context();

}  // namespace runnel::tls

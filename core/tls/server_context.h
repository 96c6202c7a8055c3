// What all TLS connections of a server share: certificate, private key, and what may be negotiated.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace runnel::tls {

/// TLS 1.2 (ECDHE with AEAD ciphers only) and 1.3; ALPN `http/1.1`, which a client need not offer;
/// no compression, no renegotiation, no early data; session tickets, whose key lives as long as the
/// context. OpenSSL reads its own clock and entropy.
///
/// A handle that is cheap to copy. Each Stream keeps its context alive: a reload makes another
/// context for new connections, while old ones go on with theirs. May be copied between threads.
class ServerContext {
 public:
  /// `certificate_pem`: the server's certificate, then the intermediate ones. `private_key_pem`:
  /// RSA or EC, not encrypted; the caller wipes its text, OpenSSL keeps a copy of its own. `now` in
  /// seconds since 1970 UTC is compared with the certificate's validity. The error is a sentence
  /// without any secret.
  [[nodiscard]] static std::expected<ServerContext, std::string> create(
      std::string_view certificate_pem, std::string_view private_key_pem, std::int64_t now);

  /// Sentences for the log: an expired certificate, a chain out of order.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// "CN = live.example, until 2027-01-02T03:04:05Z": what to say after a reload.
  [[nodiscard]] const std::string& description() const noexcept;

 private:
  friend class Stream;
  struct Shared;
  explicit ServerContext(std::shared_ptr<const Shared> shared) noexcept;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace runnel::tls

// A peer that does what ours never does: OpenSSL with whatever certificate, sizes and manners.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtls/certificate.h"
#include "core/dtls/datagram_bio.h"
#include "core/dtls/flight_queue.h"
#include "core/dtls/openssl.h"
#include "tests/unit/core/dtls/pair.h"

namespace runnel::dtls {

[[nodiscard]] Certificate make_rsa_certificate(unsigned bits = 2048);
/// On P-256, with dates in X.509's form ("700101000000Z").
[[nodiscard]] Certificate make_dated_certificate(const char* not_before, const char* not_after);
/// With an extension of `size` bytes that means nothing.
[[nodiscard]] Certificate make_padded_certificate(std::size_t size);
[[nodiscard]] std::string pem_of(const X509& certificate);
[[nodiscard]] std::string pem_of(const EVP_PKEY& key, const std::string& passphrase = "");

struct OpensslPeerOptions {
  Role role = Role::active;
  const Certificate* certificate = nullptr;  // none
  const char* profiles = "SRTP_AES128_CM_SHA1_80";
  long mtu = 1200;
  std::size_t hello_padding = 0;  // bytes of an unknown extension in the ClientHello
  const char* ciphers = "DEFAULT";
};

/// Without retransmissions.
class OpensslPeer {
 public:
  explicit OpensslPeer(const OpensslPeerOptions& options);

  /// Begins, or goes on with what waits in OpenSSL. Answers what is to be sent.
  Datagrams say();
  /// Hears a datagram after the other.
  Datagrams hear(const Datagrams& datagrams);
  [[nodiscard]] bool is_connected() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  [[nodiscard]] bool has_heard_close() const {
    return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }
  /// The last fatal alert that has come, such as "bad certificate"; "" before.
  [[nodiscard]] const std::string& alert() const { return alert_; }
  [[nodiscard]] SSL* ssl() const { return ssl_.get(); }

 private:
  Datagrams taken();

  SslContextPtr context_;
  FlightQueue flights_{AssociationOptions{.retransmissions = 0}};
  DatagramPort port_{.outgoing = flights_};
  SslPtr ssl_;
  std::string alert_;
};

/// Until both are silent.
void converse(OpensslPeer& peer, Association& association, Timestamp now = {});

}  // namespace runnel::dtls

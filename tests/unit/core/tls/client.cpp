// Drives OpenSSL as a client.
#include "tests/unit/core/tls/client.h"

#include <array>

#include <openssl/err.h>

#include "core/base/check.h"
#include "core/tls/openssl_error.h"

namespace runnel::tls {

Client::Client(const ClientOptions& options) : context_(SSL_CTX_new(TLS_client_method())) {
  SSL_CTX* context = context_.get();
  SSL_CTX_set_min_proto_version(context, options.min_version);
  SSL_CTX_set_max_proto_version(context, options.max_version);
  RUNNEL_CHECK(SSL_CTX_set_cipher_list(context, options.ciphers.c_str()) == 1);
  if (options.trusted != nullptr) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), options.trusted);
    X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(context), kNow);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  }
  ssl_.reset(SSL_new(context));
  std::string offered;
  for (const std::string& protocol : options.protocols) {
    offered += static_cast<char>(protocol.size()) + protocol;
  }
  SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(offered.data()),
                      static_cast<unsigned>(offered.size()));
  in_ = BIO_new(BIO_s_mem());
  out_ = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl_.get(), in_, out_);
  SSL_set_connect_state(ssl_.get());
}

void Client::note(int outcome) {
  const int error = SSL_get_error(ssl_.get(), outcome);
  if (error == SSL_ERROR_SSL) failure_ = take_openssl_error();
  ERR_clear_error();
}

bool Client::handshake() {
  ERR_clear_error();
  const int outcome = SSL_do_handshake(ssl_.get());
  if (outcome != 1) note(outcome);
  return outcome == 1;
}

std::string Client::take_output() {
  std::string output(BIO_ctrl_pending(out_), '\0');
  if (!output.empty()) BIO_read(out_, output.data(), static_cast<int>(output.size()));
  return output;
}

void Client::put_input(ByteView ciphertext) {
  if (!ciphertext.empty()) {
    BIO_write(in_, ciphertext.data(), static_cast<int>(ciphertext.size()));
  }
}

bool Client::write(std::string_view plaintext) {
  std::size_t written = 0;
  return SSL_write_ex(ssl_.get(), plaintext.data(), plaintext.size(), &written) == 1;
}

std::string Client::read() {
  std::string plaintext;
  std::array<char, 16384> buffer;
  while (true) {
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), buffer.data(), buffer.size());
    if (count <= 0) {
      note(count);
      return plaintext;
    }
    plaintext.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string Client::protocol() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

ByteView bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string deliver(Stream& stream, std::string_view ciphertext, std::size_t piece) {
  std::string plaintext;
  std::array<std::uint8_t, 1000> buffer;
  while (!ciphertext.empty()) {
    const std::size_t taken = stream.receive(bytes_of(ciphertext.substr(0, piece)));
    ciphertext.remove_prefix(taken);
    std::size_t total = 0;
    while (const std::size_t count = stream.read(buffer)) {
      plaintext.append(reinterpret_cast<const char*>(buffer.data()), count);
      total += count;
    }
    RUNNEL_CHECK(taken != 0 || total != 0);
  }
  return plaintext;
}

std::string exchange(Client& client, Stream& stream, std::size_t piece) {
  std::string plaintext;
  while (true) {
    if (SSL_is_init_finished(client.ssl()) == 0) client.handshake();
    const std::string output = client.take_output();
    plaintext += deliver(stream, output, piece);
    const ByteView pending = stream.pending();
    if (output.empty() && pending.empty()) return plaintext;
    const ByteView sent = pending.first(std::min(piece, pending.size()));
    client.put_input(sent);
    stream.consumed(sent.size());
  }
}

const ServerContext& sample_context() {
  static const ServerContext context = [] {
    const PrivateKeyPtr key = make_ec_key();
    return ServerContext::create(pem_of(*make_certificate(*key)), pem_of(*key), kNow).value();
  }();
  return context;
}

}  // namespace runnel::tls

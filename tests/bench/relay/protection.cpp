#include "tests/bench/relay/protection.h"

#include <cstdlib>
#include <vector>

#include <srtp2/srtp.h>

#include "tests/bench/relay/srtp_evp.h"

namespace runnel::bench {
namespace {

class NoProtection : public Protection {
 public:
  std::size_t unprotect(std::uint8_t*, std::size_t size) override { return size; }
  std::size_t protect(std::size_t, std::uint8_t*, std::size_t size) override { return size; }
};

class EvpProtection : public Protection {
 public:
  explicit EvpProtection(const Setup& setup) : source_(setup.suite, setup.source_key_and_salt) {
    for (const ReceiverSetup& receiver : setup.receivers) {
      receivers_.emplace_back(setup.suite, receiver.key_and_salt);
    }
  }
  std::size_t unprotect(std::uint8_t* packet, std::size_t size) override {
    return source_.unprotect(packet, size).value_or(0);
  }
  std::size_t protect(std::size_t receiver, std::uint8_t* packet, std::size_t size) override {
    return receivers_[receiver].protect(packet, size);
  }

 private:
  EvpSrtp source_;
  std::vector<EvpSrtp> receivers_;
};

class LibsrtpProtection : public Protection {
 public:
  explicit LibsrtpProtection(const Setup& setup) {
    if (srtp_init() != srtp_err_status_ok) std::abort();
    source_ = make_session(setup.suite, setup.source_key_and_salt, ssrc_any_inbound);
    for (const ReceiverSetup& receiver : setup.receivers) {
      receivers_.push_back(make_session(setup.suite, receiver.key_and_salt, ssrc_any_outbound));
    }
  }
  std::size_t unprotect(std::uint8_t* packet, std::size_t size) override {
    int length = static_cast<int>(size);
    const bool good = srtp_unprotect(source_, packet, &length) == srtp_err_status_ok;
    return good ? static_cast<std::size_t>(length) : 0;
  }
  std::size_t protect(std::size_t receiver, std::uint8_t* packet, std::size_t size) override {
    int length = static_cast<int>(size);
    const bool good = srtp_protect(receivers_[receiver], packet, &length) == srtp_err_status_ok;
    return good ? static_cast<std::size_t>(length) : 0;
  }

 private:
  static srtp_t make_session(Suite suite, std::vector<std::uint8_t> key, srtp_ssrc_type_t type) {
    srtp_policy_t policy{};
    if (suite == Suite::aead_aes_128_gcm) {
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp);
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp);
    } else {
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
    }
    policy.ssrc.type = type;
    policy.key = key.data();
    policy.window_size = 1024;
    srtp_t session = nullptr;
    if (srtp_create(&session, &policy) != srtp_err_status_ok) std::abort();
    return session;
  }

  srtp_t source_ = nullptr;
  std::vector<srtp_t> receivers_;  // until the process ends
};

}  // namespace

std::unique_ptr<Protection> make_protection(std::string_view name, const Setup& setup) {
  if (name == "evp") return std::make_unique<EvpProtection>(setup);
  if (name == "libsrtp") return std::make_unique<LibsrtpProtection>(setup);
  if (name == "none") return std::make_unique<NoProtection>();
  return nullptr;
}

}  // namespace runnel::bench

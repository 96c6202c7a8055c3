// Drives OpenSSL over datagrams.
#include "core/dtls/association.h"

#include <array>
#include <string>
#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "core/dtls/context_shared.h"
#include "core/dtls/datagram_bio.h"
#include "core/dtls/flight_queue.h"
#include "core/dtls/openssl.h"
#include "core/dtls/peer_identity.h"
#include "core/dtls/record_filter.h"
#include "core/dtls/srtp_keys.h"
#include "core/dtls/srtp_profile.h"

namespace runnel::dtls {

class Association::Implementation {
 public:
  Implementation(const Context& context, const AssociationOptions& options)
      : role_(options.role), flights_(options), ssl_(SSL_new(context.shared().context.get())) {
    if (ssl_ == nullptr || !attach(ssl_.get(), port_)) {
      fail(Failure::protocol_error, "out of memory");
      return;
    }
    identity_.attach(ssl_.get());
    if (role_ == Role::passive) {
      SSL_set_accept_state(ssl_.get());
    } else {
      SSL_set_connect_state(ssl_.get());
    }
  }

  void expect(std::span<const Fingerprint> fingerprints) noexcept {
    identity_.expect(fingerprints);
    if (state_ == State::handshaking && is_handshake_done()) judge_peer();
  }

  void start(Timestamp now) noexcept {
    if (role_ == Role::passive || has_started_ || is_over()) return;
    has_started_ = true;
    flights_.begin_turn(now);
    go_on();
  }

  void receive(Timestamp now, ByteView datagram) noexcept {
    if (is_over() || !(role_ == Role::passive || has_started_)) {
      ++counts_.ignored;
      return;
    }
    const Phase phase = is_handshake_done() ? Phase::connected : Phase::handshaking;
    const std::size_t admitted = filter_.admit(datagram, phase);
    if (admitted < datagram.size() || datagram.empty()) ++counts_.ignored;
    if (admitted == 0) return;
    flights_.begin_turn(now);
    port_.incoming = datagram.first(admitted);
    go_on();
    port_.incoming = {};
  }

  void handle_timeout(Timestamp now) noexcept {
    switch (flights_.handle_timeout(now)) {
      case FlightQueue::Timeout::not_yet:
        return;
      case FlightQueue::Timeout::sent_again:
        ++counts_.retransmitted_flights;
        return;
      case FlightQueue::Timeout::gave_up:
        fail(Failure::timed_out, "no answer");
    }
  }

  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept {
    return flights_.deadline();
  }
  [[nodiscard]] std::optional<ByteView> next_datagram() noexcept { return flights_.next(); }

  void close() noexcept {
    if (is_over()) return;
    end(State::closed);
  }

  [[nodiscard]] State state() const noexcept { return state_; }
  [[nodiscard]] std::optional<Failure> failure() const noexcept { return failure_; }
  [[nodiscard]] std::string_view failure_detail() const noexcept { return failure_detail_; }
  [[nodiscard]] const AssociationCounts& counts() noexcept {
    counts_.lost_datagrams = flights_.lost();
    return counts_;
  }
  [[nodiscard]] std::optional<SrtpKeys> keys() const noexcept {
    if (state_ != State::connected) return std::nullopt;
    return export_srtp_keys(ssl_.get(), role_);
  }

 private:
  [[nodiscard]] bool is_over() const noexcept {
    return state_ != State::handshaking && state_ != State::connected;
  }
  [[nodiscard]] bool is_handshake_done() const noexcept {
    return ssl_ != nullptr && SSL_is_init_finished(ssl_.get()) == 1;
  }

  /// There is a datagram to read, or the first to write.
  void go_on() noexcept {
    ERR_clear_error();
    if (is_handshake_done()) {
      read_records();
    } else {
      shake_hands();
    }
    // Its buffers of 17 kB each way; the next read makes them anew.
    if (!is_over()) SSL_free_buffers(ssl_.get());
  }

  void shake_hands() noexcept {
    const int outcome = SSL_do_handshake(ssl_.get());
    if (outcome != 1) {
      examine(outcome);
      return;
    }
    flights_.settle();
    judge_peer();
    if (!is_over()) read_records();
  }

  /// What both sides have said is complete.
  void judge_peer() noexcept {
    if (!negotiated_profile(ssl_.get())) {
      fail(Failure::no_common_profile, "no common SRTP profile");
      return;
    }
    const X509* certificate = SSL_get0_peer_certificate(ssl_.get());
    const Verdict verdict = certificate != nullptr ? identity_.judge(*certificate) : Verdict::wrong;
    if (verdict == Verdict::right) state_ = State::connected;
    if (verdict == Verdict::wrong) fail(Failure::wrong_fingerprint, "wrong fingerprint");
  }

  /// After the handshake: close_notify, a Finished that the peer repeats, or what nobody wants.
  void read_records() noexcept {
    std::array<std::uint8_t, kMaxDatagramSize> unwanted;
    std::size_t size = 0;
    int outcome = 1;
    while ((outcome = SSL_read_ex(ssl_.get(), unwanted.data(), unwanted.size(), &size)) == 1) {
      ++counts_.application_records;
    }
    examine(outcome);
  }

  /// Why a call of OpenSSL has not done what was asked.
  void examine(int outcome) noexcept {
    switch (SSL_get_error(ssl_.get(), outcome)) {
      case SSL_ERROR_WANT_READ:
        return;
      case SSL_ERROR_ZERO_RETURN:
        if (is_handshake_done()) {
          end(State::closed_by_peer);
        } else {
          fail(Failure::alert, "close_notify during the handshake");
        }
        return;
      default: {
        const Failure why = cause(ERR_peek_last_error());
        fail(why, take_openssl_error());
      }
    }
  }

  [[nodiscard]] Failure cause(unsigned long error) const noexcept {
    if (identity_.has_rejected()) return Failure::wrong_fingerprint;
    const bool is_from_peer =
        ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) >= SSL_AD_REASON_OFFSET;
    return is_from_peer ? Failure::alert : Failure::protocol_error;
  }

  void fail(Failure why, std::string detail) noexcept {
    failure_ = why;
    failure_detail_ = std::move(detail);
    end(State::failed);
  }

  /// Says close_notify where that is possible, and keeps nothing but what waits to be sent.
  void end(State state) noexcept {
    state_ = state;
    flights_.settle();
    if (is_handshake_done()) {
      // Reading makes the buffers anew that go_on has freed; writing would not.
      std::uint8_t unread = 0;
      SSL_peek(ssl_.get(), &unread, 1);
      SSL_shutdown(ssl_.get());
      ERR_clear_error();
    }
    ssl_.reset();
  }

  Role role_;
  bool has_started_ = false;
  State state_ = State::handshaking;
  std::optional<Failure> failure_;
  std::string failure_detail_;
  AssociationCounts counts_;
  RecordFilter filter_;
  PeerIdentity identity_;
  FlightQueue flights_;
  DatagramPort port_{.outgoing = flights_};
  SslPtr ssl_;  // borrows the port and the identity
};

std::string_view to_string(State state) noexcept {
  switch (state) {
    case State::handshaking:
      return "handshaking";
    case State::connected:
      return "connected";
    case State::closed_by_peer:
      return "closed_by_peer";
    case State::closed:
      return "closed";
    case State::failed:
      return "failed";
  }
  return "unknown";
}

std::string_view to_string(Failure failure) noexcept {
  switch (failure) {
    case Failure::wrong_fingerprint:
      return "wrong_fingerprint";
    case Failure::no_common_profile:
      return "no_common_profile";
    case Failure::timed_out:
      return "timed_out";
    case Failure::alert:
      return "alert";
    case Failure::protocol_error:
      return "protocol_error";
  }
  return "unknown";
}

Association::Association(const Context& context, AssociationOptions options)
    : implementation_(std::make_unique<Implementation>(context, options)) {}
Association::Association(Association&&) noexcept = default;
Association& Association::operator=(Association&&) noexcept = default;
Association::~Association() = default;

void Association::expect(std::span<const Fingerprint> fingerprints) noexcept {
  implementation_->expect(fingerprints);
}
void Association::start(Timestamp now) noexcept {
  implementation_->start(now);
}
void Association::receive(Timestamp now, ByteView datagram) noexcept {
  implementation_->receive(now, datagram);
}
void Association::handle_timeout(Timestamp now) noexcept {
  implementation_->handle_timeout(now);
}
std::optional<Timestamp> Association::next_timeout() const noexcept {
  return implementation_->next_timeout();
}
std::optional<ByteView> Association::next_datagram() noexcept {
  return implementation_->next_datagram();
}
void Association::close() noexcept {
  implementation_->close();
}
State Association::state() const noexcept {
  return implementation_->state();
}
std::optional<Failure> Association::failure() const noexcept {
  return implementation_->failure();
}
std::string_view Association::failure_detail() const noexcept {
  return implementation_->failure_detail();
}
std::optional<SrtpKeys> Association::keys() const noexcept {
  return implementation_->keys();
}
const AssociationCounts& Association::counts() const noexcept {
  return implementation_->counts();
}

}  // namespace runnel::dtls

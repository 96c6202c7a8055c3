// The ICE side of a browser opposite to a lite agent: a full, controlling agent with one candidate
// pair (RFC 8445), and consent by further checks (RFC 7675).
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/ice/credentials.h"
#include "core/stun/message_view.h"
#include "tests/peer/datagrams.h"

namespace runnel::test {

struct CheckingOptions {
  /// Firefox: USE-CANDIDATE in the first check already. Chromium: in the second.
  bool nominates_at_once = false;
  /// A plain check is enough for this peer; tests say `nominate` when they want it.
  bool never_nominates = false;
  Duration first_retransmission = std::chrono::milliseconds(50);      // doubled each time,
  Duration longest_retransmission = std::chrono::milliseconds(1600);  // up to this
  Duration consent_interval = std::chrono::seconds(5);
};

/// Where its datagrams come from and go to is known to its user alone.
class CheckingAgent {
 public:
  CheckingAgent(RandomSource& random, CheckingOptions options);

  [[nodiscard]] const ice::Credentials& local() const noexcept { return local_; }
  /// Begins with the first check; again after `restart`.
  void start(Timestamp now, const ice::Credentials& remote, Datagrams& out);
  /// New credentials (RFC 8445 §9). The old ones of the other side hold until `start`.
  void restart();
  /// A response, or anything else that begins like STUN.
  void receive(Timestamp now, ByteView datagram, Datagrams& out);
  void handle_timeout(Timestamp now, Datagrams& out);
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept { return next_check_; }
  /// Another check at once, such as after an address has changed.
  void check(Timestamp now, Datagrams& out);
  /// No more checks: gone without a word.
  void stop() noexcept { next_check_.reset(); }

  /// One check as it would be sent, for tests that bend it. A response to it is not waited for.
  [[nodiscard]] Bytes make_check(bool use_candidate);

  /// A check with USE-CANDIDATE has been answered.
  [[nodiscard]] bool is_nominated() const noexcept { return nominated_; }
  [[nodiscard]] std::uint64_t responses() const noexcept { return responses_; }
  [[nodiscard]] std::uint64_t errors() const noexcept { return errors_; }
  /// As the other side sees us.
  [[nodiscard]] std::optional<SocketAddress> mapped_address() const noexcept { return mapped_; }

 private:
  void send_check(Timestamp now, Datagrams& out);
  [[nodiscard]] Bytes write_check(const stun::TransactionId& transaction, bool use_candidate) const;
  [[nodiscard]] stun::TransactionId draw_transaction();

  RandomSource& random_;
  CheckingOptions options_;
  ice::Credentials local_;
  ice::Credentials remote_;
  std::uint64_t tie_breaker_;
  stun::TransactionId transaction_{};  // of the check whose response is waited for
  bool waits_ = false;
  bool checked_ = false;  // the pair is valid
  bool nominating_ = false;
  bool nominated_ = false;
  Duration retransmission_{};
  std::optional<Timestamp> next_check_;
  std::uint64_t responses_ = 0;
  std::uint64_t errors_ = 0;
  std::optional<SocketAddress> mapped_;
};

}  // namespace runnel::test

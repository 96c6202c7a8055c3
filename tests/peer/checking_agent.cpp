#include "tests/peer/checking_agent.h"

#include <algorithm>
#include <array>

#include "core/stun/message_writer.h"

namespace runnel::test {
namespace {

/// Of a host candidate by UDP, as a browser would have it.
constexpr std::uint32_t kPriority = 0x6e7f00ff;

}  // namespace

CheckingAgent::CheckingAgent(RandomSource& random, CheckingOptions options)
    : random_(random),
      options_(options),
      local_(ice::draw_credentials(random)),
      tie_breaker_((std::uint64_t{random.u32()} << 32) | random.u32()) {}

void CheckingAgent::start(Timestamp now, const ice::Credentials& remote, Datagrams& out) {
  remote_ = remote;
  checked_ = nominated_ = false;
  nominating_ = options_.nominates_at_once && !options_.never_nominates;
  retransmission_ = options_.first_retransmission;
  send_check(now, out);
}

void CheckingAgent::restart() {
  local_ = ice::draw_credentials(random_);
  waits_ = false;
}

void CheckingAgent::receive(Timestamp now, ByteView datagram, Datagrams& out) {
  const auto message = stun::MessageView::parse(datagram);
  if (!message || !waits_ || message->transaction_id() != transaction_ ||
      !message->is_authentic(stun::integrity_key(remote_.password))) {
    return;
  }
  waits_ = false;
  if (!message->is_binding(stun::MessageClass::success_response)) {
    ++errors_;
    return;
  }
  ++responses_;
  mapped_ = message->xor_mapped_address();
  checked_ = true;
  if (nominating_) nominated_ = true;
  if (!nominated_ && !options_.never_nominates) {
    nominating_ = true;
    retransmission_ = options_.first_retransmission;
    send_check(now, out);
  } else {
    next_check_ = now + options_.consent_interval;
  }
}

void CheckingAgent::handle_timeout(Timestamp now, Datagrams& out) {
  if (!next_check_ || now < *next_check_) return;
  retransmission_ = waits_ ? std::min(2 * retransmission_, options_.longest_retransmission)
                           : options_.first_retransmission;
  send_check(now, out);
}

void CheckingAgent::check(Timestamp now, Datagrams& out) {
  retransmission_ = options_.first_retransmission;
  send_check(now, out);
}

Bytes CheckingAgent::make_check(bool use_candidate) {
  return write_check(draw_transaction(), use_candidate);
}

void CheckingAgent::send_check(Timestamp now, Datagrams& out) {
  transaction_ = draw_transaction();
  out.push_back(write_check(transaction_, nominating_));
  waits_ = true;
  next_check_ = now + retransmission_;
}

stun::TransactionId CheckingAgent::draw_transaction() {
  stun::TransactionId drawn;
  random_.fill(drawn);
  return drawn;
}

Bytes CheckingAgent::write_check(const stun::TransactionId& transaction, bool use_candidate) const {
  std::array<std::uint8_t, 600> room;
  stun::MessageWriter writer(room, stun::MessageClass::request, stun::kBinding, transaction);
  writer.username(remote_.ufrag, local_.ufrag);
  writer.priority(kPriority);
  writer.ice_controlling(tie_breaker_);
  if (use_candidate) writer.use_candidate();
  writer.message_integrity(stun::integrity_key(remote_.password));
  writer.fingerprint();
  return to_bytes(writer.finish().value());
}

}  // namespace runnel::test

#include "core/srtp/srtp_receiver.h"

#include "core/srtp/receiver_state.h"

namespace runnel::srtp {

Receiver::Receiver(const MasterKey& key, ReceiverOptions options)
    : Receiver(std::span(&key, 1), options) {}
Receiver::Receiver(std::span<const MasterKey> keys, ReceiverOptions options)
    : state_(std::make_unique<ReceiverState>(keys, options)) {}
Receiver::Receiver(Receiver&&) noexcept = default;
Receiver& Receiver::operator=(Receiver&&) noexcept = default;
Receiver::~Receiver() = default;

Profile Receiver::profile() const noexcept {
  return state_->profile();
}

std::size_t Receiver::ssrc_count() const noexcept {
  return state_->context_count();
}

void Receiver::reset() noexcept {
  state_->clear_contexts();
}

void Receiver::expect_gap(std::uint32_t rounds) noexcept {
  state_->expect_gap(rounds);
}

std::expected<std::size_t, Error> Receiver::unprotect_in_place(PacketKind kind,
                                                               ByteSpan packet) noexcept {
  UnprotectJob job{.receiver = this, .kind = kind, .packet = packet};
  unprotect({&job, 1});
  return job.result;
}

}  // namespace runnel::srtp

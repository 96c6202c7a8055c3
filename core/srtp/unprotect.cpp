// Unprotects a batch: look at the windows, authenticate together, then accept and decrypt in order.
#include <algorithm>

#include "core/base/check.h"
#include "core/base/packet_slab.h"
#include "core/crypto/constant_time.h"
#include "core/srtp/incoming_packet.h"
#include "core/srtp/packet_index.h"
#include "core/srtp/packet_layout.h"
#include "core/srtp/receiver_state.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/stack_list.h"

namespace runnel::srtp {
namespace {

/// Two rounds of the widest HMAC kernel.
constexpr std::size_t kGroupSize = 32;

/// A packet on its way from the first look to being accepted.
struct Pending {
  Pending(UnprotectJob& pending_job, ReceiverState& its_receiver, ReceiverContext* its_context,
          const IncomingPacket& its_packet, const CandidateIndices& its_candidates) noexcept
      : job(&pending_job),
        receiver(&its_receiver),
        context(its_context),
        packet(its_packet),
        candidates(its_candidates),
        index(candidates[0]) {
    copy_bytes(tag, packet.tag);
  }

  /// The index has to be found by trying.
  [[nodiscard]] bool is_first_contact() const noexcept { return candidates.size() > 1; }
  [[nodiscard]] ByteView expected_tag() const noexcept {
    return ByteView(tag).first(packet.tag.size());
  }

  UnprotectJob* job;
  ReceiverState* receiver;
  ReceiverContext* context;  // nullptr while its SSRC has none
  IncomingPacket packet;
  CandidateIndices candidates;
  std::uint64_t index;   // of the candidate that is being tried, in the end of the right one
  bool is_seen = false;  // the window refuses it already, so its tag does not matter
  bool is_authentic = false;
  // Written before they are read; clearing them for each packet would cost more than the looks do.
  std::array<std::uint8_t, crypto::kGcmTagSize> tag;  // its place in the packet is needed
  std::array<std::uint8_t, crypto::kSha1DigestSize> digest;
  std::array<std::uint8_t, kRtcpHeaderSize + kIndexWordSize> rtcp_associated_data;
};

/// Packets whose first look does not depend on whether those before them in the group turn out to
/// be authentic, so that the result is that of unprotecting one after the other.
class UnprotectGroup {
 public:
  /// False when this packet has to wait until the group is finished. An empty group takes any.
  [[nodiscard]] bool add(UnprotectJob& job, ReceiverState& receiver) noexcept;
  void finish() noexcept;

 private:
  [[nodiscard]] bool add_rtp(UnprotectJob& job, ReceiverState& receiver,
                             const IncomingPacket& packet) noexcept;
  [[nodiscard]] bool append(UnprotectJob& job, ReceiverState& receiver, ReceiverContext* context,
                            const IncomingPacket& packet,
                            const CandidateIndices& candidates) noexcept;
  [[nodiscard]] bool awaits_first_contact(const ReceiverState& receiver,
                                          std::uint32_t ssrc) noexcept;
  [[nodiscard]] bool has_pending(const ReceiverContext& context) noexcept;
  void authenticate_counter_mode(std::size_t rank) noexcept;
  void open_gcm() noexcept;

  StackList<Pending, kGroupSize> pending_;
  bool is_closed_ = false;
};

bool UnprotectGroup::add(UnprotectJob& job, ReceiverState& receiver) noexcept {
  if (is_closed_ || pending_.full()) return false;
  const auto packet = parse_incoming(receiver, job.kind, job.packet);
  if (!packet) {
    job.result = std::unexpected(packet.error());
    return true;
  }
  if (job.kind == PacketKind::rtp) return add_rtp(job, receiver, *packet);
  return append(job, receiver, receiver.find_context(packet->ssrc), *packet,
                CandidateIndices(packet->index_word & kMaxSrtcpIndex));
}

bool UnprotectGroup::add_rtp(UnprotectJob& job, ReceiverState& receiver,
                             const IncomingPacket& packet) noexcept {
  ReceiverContext* context = receiver.find_context(packet.ssrc);
  if (context == nullptr || context->rtp.empty()) {
    if (awaits_first_contact(receiver, packet.ssrc)) return false;
    return append(
        job, receiver, context, packet,
        CandidateIndices(receiver.options().initial_rollover_counter, packet.sequence_number));
  }
  if (context->gap_expected) {
    if (has_pending(*context)) return false;
    const auto candidates = CandidateIndices::behind(context->rtp.highest(), packet.sequence_number,
                                                     receiver.take_gap_rounds());
    if (candidates.size() != 0) return append(job, receiver, context, packet, candidates);
    job.result = std::unexpected(Error::key_expired);
    return true;
  }
  // Whatever of the group is accepted, the highest index will lie between these two; where both
  // give the same estimate, all between them do.
  const auto index = estimate_packet_index(context->rtp.highest(), packet.sequence_number);
  if (index != estimate_packet_index(context->pending_highest, packet.sequence_number)) {
    return false;
  }
  if (!index) {
    job.result = std::unexpected(index.error());
    return true;
  }
  if (!append(job, receiver, context, packet, CandidateIndices(*index))) return false;
  context->pending_highest = std::max(context->pending_highest, *index);
  return true;
}

bool UnprotectGroup::append(UnprotectJob& job, ReceiverState& receiver, ReceiverContext* context,
                            const IncomingPacket& packet,
                            const CandidateIndices& candidates) noexcept {
  if (context == nullptr) {
    // A packet that may evict a context stays alone: the others hold pointers to theirs.
    if (!receiver.has_room()) {
      if (!pending_.empty()) return false;
      is_closed_ = true;
    }
    ++receiver.pending_contexts;
  }
  Pending& pending = pending_.emplace_back(job, receiver, context, packet, candidates);
  pending.is_seen = context != nullptr && !context->window(job.kind).check(pending.index);
  return true;
}

bool UnprotectGroup::awaits_first_contact(const ReceiverState& receiver,
                                          std::uint32_t ssrc) noexcept {
  return std::ranges::any_of(pending_.span(), [&](const Pending& pending) {
    return pending.is_first_contact() && pending.receiver == &receiver &&
           pending.packet.ssrc == ssrc;
  });
}

bool UnprotectGroup::has_pending(const ReceiverContext& context) noexcept {
  return std::ranges::any_of(pending_.span(),
                             [&](const Pending& pending) { return pending.context == &context; });
}

/// Tries the candidate indices of this rank, of all packets that have one and need it.
void UnprotectGroup::authenticate_counter_mode(std::size_t rank) noexcept {
  StackList<crypto::HmacSha1Job, kGroupSize> jobs;
  StackList<Pending*, kGroupSize> tried;
  for (Pending& pending : pending_) {
    const CounterModeKey* key = pending.packet.key->counter_mode();
    if (key == nullptr || pending.is_seen || pending.is_authentic) continue;
    if (rank >= pending.candidates.size()) continue;
    const IncomingPacket& packet = pending.packet;
    pending.index = pending.candidates[rank];
    if (packet.kind == PacketKind::rtp) {
      store_be32(packet.bytes.data() + packet.clear_size, rollover_counter(pending.index));
    }
    crypto::HmacSha1Job& job = jobs.emplace_back();
    job.key = &key->authentication;
    job.message = packet.bytes.first(packet.clear_size + kIndexWordSize);
    job.digest = &pending.digest;
    tried.emplace_back(&pending);
  }
  if (jobs.empty()) return;
  crypto::hmac_sha1(jobs.span());
  for (Pending* pending : tried) {
    const ByteView computed = ByteView(pending->digest).first(pending->packet.tag.size());
    pending->is_authentic = crypto::equal_in_constant_time(computed, pending->expected_tag());
  }
}

/// To open `pending` under its present index into `plaintext`.
void fill_gcm_job(crypto::GcmOpenJob& job, Pending& pending, std::uint8_t* plaintext) noexcept {
  const IncomingPacket& packet = pending.packet;
  job.key = packet.key->gcm();
  job.iv = gcm_iv(packet.key->salt(), packet.ssrc, pending.index);
  job.associated_data = packet.bytes.first(packet.header_size);
  job.ciphertext = packet.ciphertext();
  job.tag = pending.tag.data();
  job.plaintext = plaintext;
  if (packet.kind == PacketKind::rtp) return;
  if (packet.is_encrypted) {
    ByteSpan joined = pending.rtcp_associated_data;
    copy_bytes(joined, job.associated_data);
    store_be32(joined.data() + kRtcpHeaderSize, packet.index_word);
    job.associated_data = joined;
  } else {
    // Everything is associated data; the index word joins it where the tag lies.
    store_be32(packet.bytes.data() + packet.clear_size, packet.index_word);
    job.associated_data = packet.bytes.first(packet.clear_size + kIndexWordSize);
    job.ciphertext = {};
  }
}

/// Tries one index after the other on the side, because a failed attempt destroys its output.
void open_first_contact(Pending& pending) noexcept {
  std::array<std::uint8_t, kPacketCapacity> plaintext;
  for (std::size_t rank = 0; rank < pending.candidates.size(); ++rank) {
    pending.index = pending.candidates[rank];
    crypto::GcmOpenJob job;
    fill_gcm_job(job, pending, plaintext.data());
    crypto::gcm_open({&job, 1});
    if (!job.authentic) continue;
    pending.is_authentic = true;
    copy_bytes(pending.packet.ciphertext(), ByteView(plaintext).first(job.ciphertext.size()));
    return;
  }
}

void UnprotectGroup::open_gcm() noexcept {
  StackList<crypto::GcmOpenJob, kGroupSize> jobs;
  StackList<Pending*, kGroupSize> tried;
  for (Pending& pending : pending_) {
    if (pending.packet.key->gcm() == nullptr || pending.is_seen) continue;
    if (pending.is_first_contact()) {
      open_first_contact(pending);
      continue;
    }
    fill_gcm_job(jobs.emplace_back(), pending, pending.packet.ciphertext().data());
    tried.emplace_back(&pending);
  }
  if (jobs.empty()) return;
  crypto::gcm_open(jobs.span());
  for (std::size_t i = 0; i < jobs.size(); ++i) tried[i]->is_authentic = jobs[i].authentic;
}

/// The order matters for safety: the window is asked again, since a duplicate may stand earlier in
/// the group; then the tag decides; only then anything changes.
std::expected<std::size_t, Error> accept(Pending& pending) noexcept {
  ReceiverState& receiver = *pending.receiver;
  const IncomingPacket& packet = pending.packet;
  if (pending.context == nullptr) pending.context = receiver.find_context(packet.ssrc);
  if (pending.context != nullptr) {
    const auto fresh = pending.context->window(packet.kind).check(pending.index);
    if (!fresh) return std::unexpected(fresh.error());
  }
  if (!pending.is_authentic) return std::unexpected(Error::authentication_failed);
  if (pending.context == nullptr) pending.context = &receiver.add_context(packet.ssrc);
  pending.context->window(packet.kind).accept(pending.index);
  if (packet.kind == PacketKind::rtp) pending.context->gap_expected = false;
  receiver.mark_used(*pending.context);
  return packet.clear_size;
}

void decrypt_counter_mode(const IncomingPacket& packet, std::uint64_t index) noexcept {
  const CounterModeKey* key = packet.key->counter_mode();
  if (key == nullptr || !packet.is_encrypted) return;
  const ByteSpan text = packet.ciphertext();
  key->cipher.apply(counter_block(packet.key->salt(), packet.ssrc, index), text, text.data());
}

void UnprotectGroup::finish() noexcept {
  std::size_t most_candidates = 0;
  for (const Pending& pending : pending_) {
    most_candidates = std::max(most_candidates, pending.candidates.size());
  }
  for (std::size_t rank = 0; rank < most_candidates; ++rank) authenticate_counter_mode(rank);
  open_gcm();
  for (Pending& pending : pending_) {
    pending.job->result = accept(pending);
    if (pending.job->result) decrypt_counter_mode(pending.packet, pending.index);
  }
  for (Pending& pending : pending_) {
    pending.receiver->pending_contexts = 0;
    if (pending.context != nullptr) {
      pending.context->pending_highest = pending.context->rtp.highest();
    }
  }
  pending_.clear();
  is_closed_ = false;
}

}  // namespace

void unprotect(std::span<UnprotectJob> jobs) noexcept {
  UnprotectGroup group;
  for (UnprotectJob& job : jobs) {
    ReceiverState& receiver = *job.receiver->state_;
    if (group.add(job, receiver)) continue;
    group.finish();
    RUNNEL_CHECK(group.add(job, receiver));
  }
  group.finish();
}

}  // namespace runnel::srtp

// Protects a batch: encrypt one by one, authenticate together.
#include <algorithm>

#include "core/base/packet_slab.h"
#include "core/rtp/rtp_packet.h"
#include "core/srtp/packet_index.h"
#include "core/srtp/packet_layout.h"
#include "core/srtp/sender_state.h"
#include "core/srtp/srtp_sender.h"
#include "core/srtp/stack_list.h"

namespace runnel::srtp {
namespace {

/// Three rounds of the widest HMAC kernel; more would only push the first packets out of the cache.
constexpr std::size_t kGroupSize = 48;

using Digest = std::array<std::uint8_t, crypto::kSha1DigestSize>;
/// Header and index word of an SRTCP packet, which do not lie together in the packet.
using RtcpAssociatedData = std::array<std::uint8_t, kRtcpHeaderSize + kIndexWordSize>;

std::expected<void, Error> check_form(const ProtectJob& job, const SenderState& sender) noexcept {
  if (job.header_size > job.out.size()) return std::unexpected(Error::malformed);
  if (job.kind == PacketKind::rtp) {
    const auto header_size = rtp::header_size(job.out.first(job.header_size));
    if (!header_size || *header_size != job.header_size) return std::unexpected(Error::malformed);
  } else if (job.header_size != kRtcpHeaderSize || !is_version_2(job.out[0])) {
    return std::unexpected(Error::malformed);
  }
  const std::size_t room = std::min(job.out.size(), kPacketCapacity);
  const std::size_t needed = job.header_size + sender.overhead(job.kind);
  if (needed > room || job.payload.size() > room - needed) return std::unexpected(Error::too_long);
  return {};
}

/// A packet that has got its index.
struct Admitted {
  ProtectJob& job;
  SenderState& sender;
  SessionKey& key;
  std::uint32_t ssrc;
  std::uint64_t index;

  [[nodiscard]] std::uint8_t* ciphertext() const noexcept {
    return job.out.data() + job.header_size;
  }
  [[nodiscard]] std::size_t clear_size() const noexcept {
    return job.header_size + job.payload.size();
  }
  [[nodiscard]] std::uint8_t* end_of_ciphertext() const noexcept {
    return job.out.data() + clear_size();
  }
  [[nodiscard]] std::uint32_t index_word() const noexcept {
    if (job.kind == PacketKind::rtp) return rollover_counter(index);
    return kEncryptedFlag | static_cast<std::uint32_t>(index);
  }
};

class ProtectGroup {
 public:
  /// Encrypts, or prepares to. There is room for `kGroupSize` packets between two `finish`.
  void add(ProtectJob& job, SenderState& sender) noexcept;
  /// Authenticates what has been added.
  void finish() noexcept;

 private:
  struct Unsigned {
    Unsigned() noexcept {}  // leaves the digest to be computed

    const ProtectJob* job = nullptr;
    const SenderState* sender = nullptr;
    std::uint8_t* trailer = nullptr;  // where MKI and tag go
    Digest digest;
  };

  void add_counter_mode(const Admitted& packet, const CounterModeKey& key) noexcept;
  void add_gcm(const Admitted& packet, crypto::AesGcm& key) noexcept;

  StackList<Unsigned, kGroupSize> unsigned_;
  StackList<crypto::HmacSha1Job, kGroupSize> hmac_jobs_;
  StackList<crypto::GcmSealJob, kGroupSize> gcm_jobs_;
  StackList<RtcpAssociatedData, kGroupSize> rtcp_associated_data_;
};

void ProtectGroup::add(ProtectJob& job, SenderState& sender) noexcept {
  if (const auto form = check_form(job, sender); !form) {
    job.result = std::unexpected(form.error());
    return;
  }
  const std::uint8_t* header = job.out.data();
  const bool is_rtp = job.kind == PacketKind::rtp;
  const std::uint32_t ssrc = load_be32(header + (is_rtp ? kRtpSsrcOffset : kRtcpSsrcOffset));
  const auto index = is_rtp
                         ? sender.take_rtp_index(ssrc, load_be16(header + kRtpSequenceNumberOffset))
                         : sender.take_rtcp_index(ssrc);
  if (!index) {
    job.result = std::unexpected(index.error());
    return;
  }
  SessionKey& key = sender.key(job.kind);
  const Admitted packet{job, sender, key, ssrc, *index};
  if (const CounterModeKey* counter_mode = key.counter_mode()) {
    add_counter_mode(packet, *counter_mode);
  } else {
    add_gcm(packet, *key.gcm());
  }
  job.result = packet.clear_size() + sender.overhead(job.kind);
}

void ProtectGroup::add_counter_mode(const Admitted& packet, const CounterModeKey& key) noexcept {
  const ProtectJob& job = packet.job;
  key.cipher.apply(counter_block(packet.key.salt(), packet.ssrc, packet.index), job.payload,
                   packet.ciphertext());
  std::uint8_t* index_word = packet.end_of_ciphertext();
  store_be32(index_word, packet.index_word());
  Unsigned& waiting = unsigned_.emplace_back();
  waiting.job = &job;
  waiting.sender = &packet.sender;
  waiting.trailer = job.kind == PacketKind::rtp ? index_word : index_word + kIndexWordSize;
  crypto::HmacSha1Job& hmac = hmac_jobs_.emplace_back();
  hmac.key = &key.authentication;
  hmac.message = ByteView(job.out).first(packet.clear_size() + kIndexWordSize);
  hmac.digest = &waiting.digest;
}

void ProtectGroup::add_gcm(const Admitted& packet, crypto::AesGcm& key) noexcept {
  const ProtectJob& job = packet.job;
  std::uint8_t* tag = packet.end_of_ciphertext();
  std::uint8_t* mki = tag + crypto::kGcmTagSize;
  ByteView associated_data = ByteView(job.out).first(job.header_size);
  if (job.kind == PacketKind::rtcp) {
    RtcpAssociatedData& joined = rtcp_associated_data_.emplace_back();
    copy_bytes(joined, associated_data);
    store_be32(joined.data() + kRtcpHeaderSize, packet.index_word());
    associated_data = joined;
    store_be32(mki, packet.index_word());
    mki += kIndexWordSize;
  }
  crypto::GcmSealJob& seal = gcm_jobs_.emplace_back();
  seal.key = &key;
  seal.iv = gcm_iv(packet.key.salt(), packet.ssrc, packet.index);
  seal.associated_data = associated_data;
  seal.plaintext = job.payload;
  seal.ciphertext = packet.ciphertext();
  seal.tag = tag;
  std::ranges::copy(packet.sender.mki(), mki);
}

void ProtectGroup::finish() noexcept {
  if (!gcm_jobs_.empty()) crypto::gcm_seal(gcm_jobs_.span());
  if (!hmac_jobs_.empty()) crypto::hmac_sha1(hmac_jobs_.span());
  for (const Unsigned& packet : unsigned_) {
    std::uint8_t* tag = std::ranges::copy(packet.sender->mki(), packet.trailer).out;
    std::copy_n(packet.digest.data(), tag_size(packet.sender->sizes(), packet.job->kind), tag);
  }
  unsigned_.clear();
  hmac_jobs_.clear();
  gcm_jobs_.clear();
  rtcp_associated_data_.clear();
}

}  // namespace

void protect(std::span<ProtectJob> jobs) noexcept {
  ProtectGroup group;
  while (!jobs.empty()) {
    const std::size_t count = std::min(jobs.size(), kGroupSize);
    for (ProtectJob& job : jobs.first(count)) group.add(job, *job.sender->state_);
    group.finish();
    jobs = jobs.subspan(count);
  }
}

}  // namespace runnel::srtp

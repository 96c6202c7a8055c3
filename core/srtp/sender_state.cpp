#include "core/srtp/sender_state.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/srtp/packet_index.h"

namespace runnel::srtp {

SenderState::SenderState(const MasterKey& key, const SenderOptions& options)
    : profile_(key.profile()),
      sizes_(parameters(profile_)),
      options_(options),
      rtp_key_(key, PacketKind::rtp),
      rtcp_key_(key, PacketKind::rtcp),
      mki_(key.mki()),
      rtp_packets_left_(kMaxPacketIndex + 1 - packet_index(options.initial_rollover_counter, 0)),
      rtcp_packets_left_(std::uint64_t{kMaxSrtcpIndex} + 1 - options.initial_srtcp_index),
      table_(options.max_ssrcs) {
  RUNNEL_CHECK(options.initial_srtcp_index <= kMaxSrtcpIndex);
  contexts_.reserve(options.max_ssrcs);
}

std::expected<std::uint64_t, Error> SenderState::take_rtp_index(
    std::uint32_t ssrc, std::uint16_t sequence_number) noexcept {
  if (rtp_packets_left_ == 0) return std::unexpected(Error::key_expired);
  Context* context = find(ssrc);
  const std::expected<std::uint64_t, Error> index = index_of(context, sequence_number);
  if (!index) return index;
  if (context == nullptr) context = create(ssrc);
  if (context == nullptr) return std::unexpected(Error::too_many_ssrcs);
  context->highest_index = std::max(context->highest_index, *index);
  context->has_sent_rtp = true;
  --rtp_packets_left_;
  return index;
}

std::expected<std::uint64_t, Error> SenderState::take_rtcp_index(std::uint32_t ssrc) noexcept {
  if (rtcp_packets_left_ == 0) return std::unexpected(Error::key_expired);
  Context* context = find(ssrc);
  if (context == nullptr) context = create(ssrc);
  if (context == nullptr) return std::unexpected(Error::too_many_ssrcs);
  // Never past the last index: the packets left are counted over all SSRCs together.
  --rtcp_packets_left_;
  return context->next_srtcp_index++;
}

void SenderState::forget(std::uint32_t ssrc) noexcept {
  const std::optional<std::uint32_t> place = table_.find(ssrc);
  if (!place) return;
  table_.erase(ssrc);
  const Context last = contexts_.back();
  contexts_.pop_back();
  if (last.ssrc == ssrc) return;
  contexts_[*place] = last;
  table_.erase(last.ssrc);
  table_.insert(last.ssrc, *place);
}

std::expected<std::uint64_t, Error> SenderState::index_of(
    const Context* context, std::uint16_t sequence_number) const noexcept {
  if (context == nullptr || !context->has_sent_rtp) {
    return packet_index(options_.initial_rollover_counter, sequence_number);
  }
  return estimate_packet_index(context->highest_index, sequence_number);
}

SenderState::Context* SenderState::find(std::uint32_t ssrc) noexcept {
  const std::optional<std::uint32_t> context = table_.find(ssrc);
  return context ? &contexts_[*context] : nullptr;
}

SenderState::Context* SenderState::create(std::uint32_t ssrc) noexcept {
  if (contexts_.size() == options_.max_ssrcs) return nullptr;
  table_.insert(ssrc, static_cast<std::uint32_t>(contexts_.size()));
  return &contexts_.emplace_back(
      Context{.ssrc = ssrc, .next_srtcp_index = options_.initial_srtcp_index});
}

}  // namespace runnel::srtp

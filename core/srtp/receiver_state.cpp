#include "core/srtp/receiver_state.h"

#include <algorithm>

#include "core/base/check.h"

namespace runnel::srtp {
namespace {

Profile common_profile(std::span<const MasterKey> keys) noexcept {
  RUNNEL_CHECK(!keys.empty());
  for (const MasterKey& key : keys) RUNNEL_CHECK(key.profile() == keys.front().profile());
  return keys.front().profile();
}

}  // namespace

ReceiverState::ReceiverState(std::span<const MasterKey> keys, const ReceiverOptions& options)
    : profile_(common_profile(keys)),
      sizes_(parameters(profile_)),
      options_(options),
      table_(options.max_ssrcs) {
  RUNNEL_CHECK(options.max_ssrcs != 0);
  RUNNEL_CHECK(options.replay_window >= kMinReplayWindow &&
               options.replay_window <= kMaxReplayWindow && options.replay_window % 64 == 0);
  keys_.reserve(keys.size());
  for (const MasterKey& key : keys) {
    RUNNEL_CHECK(key.mki().size() == keys.front().mki().size());
    RUNNEL_CHECK(find_key(key.mki()) == nullptr);
    keys_.emplace_back(key);
  }
  contexts_.reserve(options.max_ssrcs);
}

ReceiverKey* ReceiverState::find_key(ByteView mki) noexcept {
  for (ReceiverKey& key : keys_) {
    if (std::ranges::equal(key.mki(), mki)) return &key;
  }
  return nullptr;
}

ReceiverContext* ReceiverState::find_context(std::uint32_t ssrc) noexcept {
  const std::optional<std::uint32_t> context = table_.find(ssrc);
  return context ? contexts_[*context].get() : nullptr;
}

ReceiverContext& ReceiverState::add_context(std::uint32_t ssrc) {
  if (contexts_.size() == options_.max_ssrcs) return recycle_least_recently_used(ssrc);
  table_.insert(ssrc, static_cast<std::uint32_t>(contexts_.size()));
  return *contexts_.emplace_back(std::make_unique<ReceiverContext>(ssrc, options_.replay_window));
}

void ReceiverState::clear_contexts() noexcept {
  contexts_.clear();
  table_.clear();
}

void ReceiverState::expect_gap(std::uint32_t rounds) noexcept {
  gap_rounds_ = std::clamp(rounds, kNearRounds, kMaxGapRounds);
  far_searches_ = kFarSearches;
  for (const auto& context : contexts_) context->gap_expected = true;
}

std::uint32_t ReceiverState::take_gap_rounds() noexcept {
  if (gap_rounds_ == kNearRounds || far_searches_ == 0) return kNearRounds;
  --far_searches_;
  return gap_rounds_;
}

ReceiverContext& ReceiverState::recycle_least_recently_used(std::uint32_t ssrc) noexcept {
  const auto last_use = [](const auto& context) { return context->last_used; };
  const auto oldest = std::ranges::min_element(contexts_, {}, last_use);
  ReceiverContext& context = **oldest;
  table_.erase(context.ssrc);
  table_.insert(ssrc, static_cast<std::uint32_t>(oldest - contexts_.begin()));
  context.ssrc = ssrc;
  context.rtp.clear();
  context.rtcp.clear();
  context.gap_expected = false;
  return context;
}

}  // namespace runnel::srtp

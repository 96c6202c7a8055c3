#include "core/relay/encoding_choice.h"

#include <algorithm>
#include <tuple>

namespace runnel::relay {
namespace {

std::optional<std::size_t> find_rid(std::span<const EncodingState> encodings,
                                    std::string_view rid) noexcept {
  const auto found = std::ranges::find(encodings, rid, &EncodingState::rid);
  if (found == encodings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - encodings.begin());
}

bool know_all_heights(std::span<const EncodingState> encodings) noexcept {
  return std::ranges::all_of(
      encodings, [](const EncodingState& each) { return !each.flowing || each.height; });
}

}  // namespace

std::optional<std::size_t> choose_encoding(std::span<const EncodingState> encodings,
                                           const LayerWish& wish) noexcept {
  if (!wish.rid.empty()) return find_rid(encodings, wish.rid);
  const bool by_height = know_all_heights(encodings);
  const auto rank = [&](const EncodingState& each) {
    return std::tuple(by_height ? *each.height : 0, each.bitrate);
  };
  std::optional<std::size_t> best;    // of those that the wish allows
  std::optional<std::size_t> lowest;  // of all that flow
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    const EncodingState& each = encodings[i];
    if (!each.flowing) continue;
    if (!lowest || rank(each) <= rank(encodings[*lowest])) lowest = i;
    const bool allowed = !wish.max_height || (each.height && *each.height <= *wish.max_height);
    if (allowed && (!best || rank(each) > rank(encodings[*best]))) best = i;
  }
  return best ? best : lowest;
}

}  // namespace runnel::relay

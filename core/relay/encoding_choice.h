// Which of a simulcast medium's encodings a receiver is to get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/relay/relay_description.h"

namespace runnel::relay {

/// One encoding, as it is now.
struct EncodingState {
  std::string_view rid;
  bool flowing = false;
  std::optional<std::uint32_t> height =
      std::nullopt;           // of its pictures in pixels, when it has been seen
  std::uint64_t bitrate = 0;  // bits per second, measured
};

/// Index of the encoding that a receiver is to get; nullopt when there is none.
///
/// A wish for a RID is for that encoding alone, whether it flows or not (what does not flow is
/// worth waiting for); nullopt when no encoding has it.
///
/// Otherwise, among those that flow: the best; with a max_height the best of at most that height
/// (what is not known to be that low does not count), and the lowest of all when none is. Encodings
/// are ranked by what is measured, since neither their names nor their order in a=simulcast says
/// which is the larger: by height when the height of all that flow is known, and then by bitrate;
/// of those that are still equal, the one announced first is the better.
[[nodiscard]] std::optional<std::size_t> choose_encoding(std::span<const EncodingState> encodings,
                                                         const LayerWish& wish) noexcept;

}  // namespace runnel::relay

// How problems speak of what they found: quoting without leaking keys, "did you mean", lists.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace runnel::config {

/// 'TEXT' on one line for a message. What might be a key in the wrong place (a long run of base64
/// or hex digits) or is very long is described by its length instead.
[[nodiscard]] std::string quote(std::string_view text);

/// The candidate that begins with `word`, or the one within a third of `word`'s length in typing
/// mistakes (a letter added, missing, changed, or two swapped; letter case, '-' and '_' do not
/// count); empty when none is near.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "a, b or c"
[[nodiscard]] std::string any_of(std::span<const std::string_view> words);
/// "did you mean 'NEAREST'?", or "use a, b or c" when nothing is near.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> candidates);

/// Whether `text` is what documentation prints where a reader's own value belongs: "<...>",
/// "YOUR_HOST", "changeme", "base64 of ...".
[[nodiscard]] bool is_placeholder(std::string_view text);

}  // namespace runnel::config

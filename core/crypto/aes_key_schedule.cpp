#include "core/crypto/aes_key_schedule.h"

#if defined(__x86_64__)

#include "core/base/secret.h"
#include "core/crypto/x86.h"

namespace runnel::crypto {
namespace {

// SubWord() by the last-round instruction: with the word in all four columns ShiftRows() changes
// nothing, and the round key is zero.
RUNNEL_TARGET_INLINE("aes,sse4.1")
std::uint32_t substitute_word(std::uint32_t word) noexcept {
  const __m128i columns = _mm_set1_epi32(static_cast<int>(word));
  return static_cast<std::uint32_t>(
      _mm_cvtsi128_si32(_mm_aesenclast_si128(columns, _mm_setzero_si128())));
}

}  // namespace

RUNNEL_TARGET("aes,sse4.1")
void expand_aes_key(ByteView key, AesKeySchedule& schedule) noexcept {
  const std::size_t key_words = key.size() / 4;
  schedule.rounds = static_cast<int>(key_words) + 6;
  const std::size_t total_words = 4 * (key_words + 7);

  // Words are kept in memory order (little-endian), where RotWord() is a rotation to the right and
  // the round constant falls into the low byte.
  std::array<std::uint32_t, 60> words;
  std::memcpy(words.data(), key.data(), key.size());
  std::uint32_t round_constant = 1;
  for (std::size_t i = key_words; i < total_words; ++i) {
    std::uint32_t word = words[i - 1];
    if (i % key_words == 0) {
      word = substitute_word(std::rotr(word, 8)) ^ round_constant;
      round_constant = (round_constant << 1) ^ (round_constant >> 7) * 0x11b;
    } else if (key_words == 8 && i % key_words == 4) {
      word = substitute_word(word);
    }
    words[i] = words[i - key_words] ^ word;
  }
  std::memcpy(schedule.round_keys, words.data(), total_words * sizeof words[0]);
  wipe(words.data(), sizeof words);
}

}  // namespace runnel::crypto

#endif

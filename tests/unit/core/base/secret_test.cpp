#include "core/base/secret.h"

#include <algorithm>
#include <array>
#include <new>
#include <ostream>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace runnel {
namespace {

using Key = Secret<16>;

static_assert(!std::is_copy_constructible_v<Key> && !std::is_copy_assignable_v<Key>);
static_assert(std::is_nothrow_move_constructible_v<Key> && std::is_nothrow_move_assignable_v<Key>);
static_assert(!std::is_convertible_v<Key, ByteView> && !std::is_convertible_v<ByteView, Key>);
template <typename T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(!Printable<Key>);

constexpr std::array<std::uint8_t, 16> kBytes{0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
                                              0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf};

bool holds(const Key& key, ByteView bytes) {
  return std::ranges::equal(key.view(), bytes);
}

/// Memory in which a secret lives and dies, so that one can look at what it leaves behind.
class Grave {
 public:
  explicit Grave(Key key) : key_(new(memory_) Key(std::move(key))) {}

  Key& key() { return *key_; }
  void kill() { key_->~Key(); }
  bool holds_anything_of(ByteView bytes) const {
    return std::ranges::any_of(
        memory_, [&](std::uint8_t left) { return std::ranges::find(bytes, left) != bytes.end(); });
  }

 private:
  alignas(Key) std::uint8_t memory_[sizeof(Key)]{};
  Key* key_;
};

TEST(Secret, HoldsWhatItWasGiven) {
  EXPECT_TRUE(Key().empty());
  EXPECT_EQ(Key().size(), 0u);
  EXPECT_TRUE(holds(Key(kBytes), kBytes));
  const ByteView shorter = ByteView(kBytes).first(5);
  EXPECT_TRUE(holds(Key(shorter), shorter));
  EXPECT_TRUE(Key(ByteView{}).empty());
}

TEST(Secret, IsCopiedOnPurposeAlone) {
  const Key key(kBytes);
  const Key copy = key.clone();
  EXPECT_TRUE(holds(copy, kBytes));
  EXPECT_TRUE(holds(key, kBytes));
  EXPECT_NE(copy.view().data(), key.view().data());
}

TEST(Secret, LeavesNothingBehindWhenItMoves) {
  Grave grave{Key(kBytes)};
  ASSERT_TRUE(grave.holds_anything_of(kBytes));
  const Key moved = std::move(grave.key());
  EXPECT_TRUE(holds(moved, kBytes));
  EXPECT_TRUE(grave.key().empty());
  EXPECT_FALSE(grave.holds_anything_of(kBytes));
  grave.kill();
}

TEST(Secret, LeavesNothingBehindWhenItIsAssignedAway) {
  Grave grave{Key(kBytes)};
  Key target;
  target = std::move(grave.key());
  EXPECT_TRUE(holds(target, kBytes));
  EXPECT_FALSE(grave.holds_anything_of(kBytes));
  grave.kill();
}

TEST(Secret, KeepsNothingOfALongerPredecessor) {
  Grave grave{Key(kBytes)};
  const std::array<std::uint8_t, 1> other{0x11};
  grave.key() = Key(other);
  EXPECT_TRUE(holds(grave.key(), other));
  EXPECT_FALSE(grave.holds_anything_of(kBytes));
  grave.kill();
}

TEST(Secret, LeavesNothingBehindWhenItDies) {
  Grave grave{Key(kBytes)};
  ASSERT_TRUE(grave.holds_anything_of(kBytes));
  grave.kill();
  EXPECT_FALSE(grave.holds_anything_of(kBytes));
}

TEST(Secret, SurvivesBeingAssignedToItself) {
  Key key(kBytes);
  Key& same = key;
  key = std::move(same);
  EXPECT_TRUE(holds(key, kBytes));
}

TEST(SecretDeathTest, MoreThanItsCapacityIsABugOfOurs) {
  const std::array<std::uint8_t, 17> too_long{};
  EXPECT_DEATH(Key{ByteView(too_long)}, "does not hold");
}

TEST(Wipe, ZeroesExactlyWhatItIsTold) {
  std::array<std::uint8_t, 16> bytes = kBytes;
  wipe(bytes.data() + 4, 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(bytes[i], i >= 4 && i < 12 ? 0 : kBytes[i]) << i;
  }
}

}  // namespace
}  // namespace runnel

// zlib with its memory counted; included by the two coders alone.
#pragma once

#define ZLIB_CONST
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <zlib.h>

#include "core/base/bytes.h"

namespace runnel::websocket {

/// A z_stream whose allocations are added up. zlib points back at it, so it must not move.
class ZlibStream {
 public:
  ZlibStream() noexcept {
    z.zalloc = allocate;
    z.zfree = release;
    z.opaque = this;
  }
  ZlibStream(const ZlibStream&) = delete;
  ZlibStream& operator=(const ZlibStream&) = delete;

  [[nodiscard]] std::size_t memory() const noexcept { return memory_; }

  /// Sets what is read next, and takes as much of it off `input` as zlib can count.
  void set_input(ByteView& input) noexcept {
    const std::size_t size = std::min<std::size_t>(input.size(), kMaxCount);
    z.next_in = input.data();
    z.avail_in = static_cast<uInt>(size);
    input = input.subspan(size);
  }
  void set_output(ByteSpan output) noexcept {
    z.next_out = output.data();
    z.avail_out = static_cast<uInt>(std::min<std::size_t>(output.size(), kMaxCount));
  }

  z_stream z{};

 private:
  static constexpr std::size_t kMaxCount = std::numeric_limits<uInt>::max();

  // In front of each block lies its size; its alignment is that of malloc.
  struct alignas(std::max_align_t) Prefix {
    std::size_t size;
  };

  static voidpf allocate(voidpf opaque, uInt items, uInt item_size) noexcept {
    const std::size_t size = sizeof(Prefix) + std::size_t{items} * item_size;
    void* block = std::malloc(size);
    if (block == nullptr) return Z_NULL;
    auto* prefix = static_cast<Prefix*>(block);
    prefix->size = size;
    static_cast<ZlibStream*>(opaque)->memory_ += size;
    return prefix + 1;
  }
  static void release(voidpf opaque, voidpf address) noexcept {
    Prefix* prefix = static_cast<Prefix*>(address) - 1;
    static_cast<ZlibStream*>(opaque)->memory_ -= prefix->size;
    std::free(prefix);
  }

  std::size_t memory_ = 0;
};

}  // namespace runnel::websocket

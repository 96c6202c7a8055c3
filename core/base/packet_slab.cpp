#include "core/base/packet_slab.h"

#include <new>

namespace runnel {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void PacketSlab::Release::operator()(std::uint8_t* memory) const noexcept {
  ::operator delete[](memory, kAlignment);
}

PacketSlab::PacketSlab(std::size_t slot_count)
    : slot_count_(slot_count),
      memory_(static_cast<std::uint8_t*>(::operator new[](slot_count* kPacketStride, kAlignment))) {
  std::memset(memory_.get(), 0, slot_count * kPacketStride);
}

}  // namespace runnel

// Checks, answered or dropped, allocate nothing.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "tests/unit/core/ice/full_agent.h"

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace runnel::ice {
namespace {

void handle(Agent& agent, const Path& path, ByteView datagram) {
  std::array<std::uint8_t, kMaxResponseSize> room;
  const auto request = stun::MessageView::parse(datagram);
  if (request) (void)agent.handle_request({}, path, *request, room);
}

TEST(IceAllocation, ChecksAllocateNothing) {
  Agent agent({.ufrag = std::string(256, 'u'), .password = kLocal.password}, {.paths = 2});
  Check honest = nominating();
  honest.local_ufrag = agent.local().ufrag;
  Check forged = honest;
  forged.password = "guessedguessedguessed1";
  Check controlled = honest;
  controlled.role = Role::controlled;
  Check unknown = honest;
  unknown.additional = {stun::AttributeType{0x7777}};
  Check renewed = under(kRestarted, true);
  const std::vector<Bytes> datagrams{write(honest),  write(forged),  write(controlled),
                                     write(unknown), write(renewed), Bytes(64)};
  agent.restart(kRestarted);

  const std::size_t before = allocations;
  for (std::uint16_t port = 1; port <= 5; ++port) {
    for (const Bytes& datagram : datagrams) handle(agent, path_of(port), datagram);
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(agent.selected(), path_of(5));
}

}  // namespace
}  // namespace runnel::ice

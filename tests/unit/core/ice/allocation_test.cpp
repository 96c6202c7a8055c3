// Checks, answered or dropped, allocate nothing.
#include <gtest/gtest.h>

#include "tests/allocations/counting_allocator.h"
#include "tests/unit/core/ice/full_agent.h"

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

  const std::size_t before = test::allocation_count();
  for (std::uint16_t port = 1; port <= 5; ++port) {
    for (const Bytes& datagram : datagrams) handle(agent, path_of(port), datagram);
  }
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(agent.selected(), path_of(5));
}

}  // namespace
}  // namespace runnel::ice

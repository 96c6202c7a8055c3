#include "core/transport/peer_table.h"

#include <set>

#include <gtest/gtest.h>

namespace runnel::transport {
namespace {

const ice::Credentials kCredentials{.ufrag = "abcd", .password = "0123456789012345678901"};

TEST(PeerTable, has_room_for_its_limit) {
  PeerTable table(3);
  std::vector<Peer*> peers;
  for (int i = 0; i < 3; ++i) peers.push_back(table.add(kCredentials, {}));
  EXPECT_EQ(table.add(kCredentials, {}), nullptr);
  table.remove(peers[1]->id);
  EXPECT_NE(table.add(kCredentials, {}), nullptr);
  EXPECT_EQ(table.size(), 3u);
}

TEST(PeerTable, gives_no_identity_twice) {
  PeerTable table(2);
  const PeerId stays = table.add(kCredentials, {})->id;
  std::set<PeerId> seen{stays};
  for (int i = 0; i < 1000; ++i) {
    const PeerId id = table.add(kCredentials, {})->id;
    EXPECT_TRUE(seen.insert(id).second);
    EXPECT_NE(table.slot_of(id), table.slot_of(stays));
    EXPECT_LT(table.slot_of(id), table.bound());
    EXPECT_EQ(table.find(id)->id, id);
    table.remove(id);
    EXPECT_EQ(table.find(id), nullptr);
  }
  EXPECT_EQ(table.get(stays).id, stays);
}

}  // namespace
}  // namespace runnel::transport

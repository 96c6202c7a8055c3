// DTLS: whatever datagrams come, a passive association gives no keys, says nothing too long, and
// ends by itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/dtls/association.h"

namespace {

using namespace runnel;
using namespace runnel::dtls;

const Context& context() {
  static const Context made = Context::self_signed().value();
  return made;
}

/// A client that has said hello, as far as the input says: what follows is said in its name.
void begin(Association& server, Timestamp now) {
  Association client(context(), {.role = Role::active});
  client.start(now);
  while (const auto datagram = client.next_datagram()) server.receive(now, *datagram);
}

void take_all(Association& server) {
  while (const auto datagram = server.next_datagram()) {
    RUNNEL_CHECK(!datagram->empty() && datagram->size() <= kMtu);
  }
}

}  // namespace

/// A byte of flags, then datagrams with two bytes of length before each.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Timestamp now{};
  Association server(context());
  server.expect({&context().fingerprint(), 1});
  if ((data[0] & 1) != 0) begin(server, now);

  ByteView rest(data + 1, size - 1);
  while (rest.size() >= 2) {
    const std::size_t length = std::min<std::size_t>(load_be16(rest.data()), rest.size() - 2);
    // Memory of its own, so that a step outside is seen.
    const ByteView view = rest.subspan(2, length);
    const std::vector<std::uint8_t> datagram(view.begin(), view.end());
    rest = rest.subspan(2 + length);
    server.receive(now, datagram);
    take_all(server);
  }
  RUNNEL_CHECK(server.state() == State::handshaking || server.state() == State::failed);
  RUNNEL_CHECK(!server.keys());
  while (const auto deadline = server.next_timeout()) {
    RUNNEL_CHECK(*deadline > now);
    now = *deadline;
    server.handle_timeout(now);
    take_all(server);
  }
  return 0;
}

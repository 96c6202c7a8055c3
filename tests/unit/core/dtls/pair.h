// Two associations, and a network between them that tests have in hand. Time is virtual.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/bytes.h"
#include "core/dtls/association.h"

namespace runnel::dtls {

using Bytes = std::vector<std::uint8_t>;
using Datagrams = std::vector<Bytes>;

/// Making keys takes time, so these are made once.
[[nodiscard]] inline const Context& first_context() {
  static const Context context = Context::self_signed().value();
  return context;
}
[[nodiscard]] inline const Context& second_context() {
  static const Context context = Context::self_signed().value();
  return context;
}

inline Datagrams take(Association& from) {
  Datagrams taken;
  while (const auto datagram = from.next_datagram()) {
    taken.emplace_back(datagram->begin(), datagram->end());
  }
  return taken;
}

/// Each record in a datagram of its own.
[[nodiscard]] inline Datagrams split(const Datagrams& datagrams) {
  constexpr std::size_t kHeaderSize = 13;
  Datagrams records;
  for (const Bytes& datagram : datagrams) {
    for (std::size_t at = 0; at < datagram.size();) {
      const std::size_t size = kHeaderSize + load_be16(&datagram[at + 11]);
      const auto begin = datagram.begin() + static_cast<std::ptrdiff_t>(at);
      records.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
      at += size;
    }
  }
  return records;
}

inline void expect_one(Association& association, const Fingerprint& fingerprint) {
  association.expect({&fingerprint, 1});
}

/// An active side that knows what to expect, and a passive one.
struct Pair {
  explicit Pair(const Context& client_context = first_context(),
                const Context& server_context = second_context(), AssociationOptions options = {})
      : client(client_context, with_role(options, Role::active)),
        server(server_context, with_role(options, Role::passive)) {
    expect_one(client, server_context.fingerprint());
    expect_one(server, client_context.fingerprint());
  }

  void deliver(Association& to, const Datagrams& datagrams) {
    for (const Bytes& datagram : datagrams) to.receive(now, datagram);
  }

  /// Whether the `index`th datagram from the client, or from the server, gets lost.
  using Loss = std::function<bool(bool is_from_client, std::size_t index)>;

  /// Until neither side has anything to say, or to wait for.
  void run(const Loss& loses = {}) {
    client.start(now);
    while (exchange(loses) || pass_time()) {
    }
  }

  /// Until neither side has anything to say. False: that was so at once.
  bool exchange(const Loss& loses = {}) {
    bool has_said = false;
    for (;;) {
      const bool client_has = carry(client, server, true, loses);
      const bool server_has = carry(server, client, false, loses);
      if (!client_has && !server_has) return has_said;
      has_said = true;
    }
  }

  /// To the next deadline of the two. False: there is none.
  bool pass_time() {
    const auto first = client.next_timeout();
    const auto second = server.next_timeout();
    if (!first && !second) return false;
    now = !second ? *first : !first ? *second : std::min(*first, *second);
    client.handle_timeout(now);
    server.handle_timeout(now);
    return true;
  }

  [[nodiscard]] bool are_connected() const {
    return client.state() == State::connected && server.state() == State::connected;
  }

  Association client;
  Association server;
  Timestamp now{std::chrono::hours(1)};

 private:
  static AssociationOptions with_role(AssociationOptions options, Role role) {
    options.role = role;
    return options;
  }
  bool carry(Association& from, Association& to, bool is_from_client, const Loss& loses) {
    const Datagrams datagrams = take(from);
    for (const Bytes& datagram : datagrams) {
      const std::size_t index = (is_from_client ? from_client_ : from_server_)++;
      if (!loses || !loses(is_from_client, index)) to.receive(now, datagram);
    }
    return !datagrams.empty();
  }

  std::size_t from_client_ = 0;
  std::size_t from_server_ = 0;
};

}  // namespace runnel::dtls

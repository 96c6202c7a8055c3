// What WHIP and WHEP clients are told besides the answer to their offer.
#pragma once

#include <string>
#include <vector>

namespace runnel::whip {

/// STUN or TURN that a client may want (RFC 9725 §4.6). The server itself needs none.
struct IceServer {
  std::vector<std::string> urls;  // "turn:turn.example.net?transport=udp" (RFC 7064, RFC 7065)
  std::string username = {};      // empty: none
  std::string credential = {};    // a long-term password
};

struct Settings {
  std::vector<IceServer> ice_servers;
};

}  // namespace runnel::whip

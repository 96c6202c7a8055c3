// What a WHIP or WHEP client has made: a session of one webrtc leg, which is known by an id in the
// path of its URL and needs no WebSocket.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/relay/relay_description.h"
#include "core/relay/statistics.h"
#include "core/signalling/answer.h"

namespace runnel::session {

struct PublishByOffer {
  std::string stream;
  std::string offer;  // SDP
  bool take_over = false;
};
struct SubscribeByOffer {
  std::string stream;
  std::string offer;  // SDP; empty: the server offers, and `answer_resource` has to follow
  relay::LayerWish layers = {};
};

/// Views into the URL.
struct ResourceName {
  signalling::LegRole role = signalling::LegRole::publication;
  std::string_view stream;
  std::string_view id;
};

struct NewResource {
  std::string id;          // 22 characters of [A-Za-z0-9_-]; nobody can guess it
  std::string entity_tag;  // a strong one, in its quotation marks
  std::string sdp;         // the answer, or the offer, with all candidates
};

struct ResourceStatus {
  std::string entity_tag;  // another one after each ICE restart
  bool awaits_answer = false;
  /// The client's ICE credentials as they are known; empty: not yet. A fragment with others means a
  /// restart.
  std::string peer_ufrag;
  std::string peer_password;
};

struct RestartedResource {
  std::string entity_tag;
  std::string fragment;  // application/trickle-ice-sdpfrag: credentials and candidates of ours
};

/// What a viewer can choose from in one of its m-lines.
struct ResourceLayers {
  std::size_t section = 0;                           // index of the m-line, from 0
  std::vector<relay::EncodingStatistics> encodings;  // each with its RID
};

/// What a resource's client would be told on a WebSocket: leg_state, leg_ended, peer_state.
struct ResourceEvent {
  std::string id;
  signalling::Event event;
};

}  // namespace runnel::session

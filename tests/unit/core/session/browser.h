// A browser's PeerConnection: SDP of real ones under its own credentials, and what is behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene.h"
#include "tests/peer/test_peer.h"

namespace runnel::session {

class Browser : public Host {
 public:
  explicit Browser(Scene& scene, std::string_view address = "192.0.2.10:50000");
  ~Browser() override;
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// An offer of tests/vectors/sdp: "chromium-sendonly-VP8".
  [[nodiscard]] std::string offer(std::string_view name) const;
  /// Any description, under this browser's credentials.
  [[nodiscard]] std::string own(std::string_view sdp) const;
  /// The server's answer; the connection is established before this returns.
  void take_answer(const std::string& sdp);
  /// Answers the server's offer, taking all of it; the connection is established.
  [[nodiscard]] std::string answer(const std::string& offer) const;

  /// After `peer.restart()`: the server's answer to the new offer.
  void resume(const std::string& sdp);
  void send_rtp(const Bytes& packet);
  /// RTP that has come since the last call.
  std::vector<Bytes> rtp() { return std::exchange(rtp_, {}); }
  void close();
  void vanish();

  void receive(ByteSpan datagram) override;
  [[nodiscard]] std::optional<Timestamp> next_timeout() const override;
  void handle_timeout() override;

  test::TestPeer peer;

 private:
  void flush();

  Scene& scene_;
  SocketAddress address_;
  std::vector<Bytes> rtp_;
};

/// The value of the first a= line of that name, from `from` on; empty: there is none.
[[nodiscard]] std::string attribute(std::string_view sdp, std::string_view name);
/// How often `part` stands in a text.
[[nodiscard]] std::size_t count_of(std::string_view text, std::string_view part);

}  // namespace runnel::session

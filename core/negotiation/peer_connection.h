// The m-lines of one PeerConnection through its offers and answers, whichever side offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/negotiation/subscription.h"

namespace runnel::negotiation {

struct PeerConnectionState;

/// What has become of an m-line that we have offered.
struct Outcome {
  std::string mid;
  /// As agreed; nullopt: the peer does not take it.
  std::optional<AgreedMedium> medium;
  std::string refusal;  // a sentence, when it does not
};

/// Either side may offer, one at a time. What the peer has offered first is answered by
/// `read_offer`, a choice (choose_publication, choose_subscription) and `write_answer`; media of
/// ours are added and removed by `add` and `remove`, `write_offer` and `read_answer`.
///
/// Payload types and ids of extensions mean the same in all m-lines of the connection; those that
/// the peer has used first stay. An m-line is known by its MID, which it keeps.
class PeerConnection {
 public:
  /// m-lines of one connection.
  static constexpr std::size_t kMaxSections = 64;

  /// `session_id` is drawn by the caller, below 2^63.
  explicit PeerConnection(std::uint64_t session_id);
  ~PeerConnection();
  PeerConnection(PeerConnection&&) noexcept;
  PeerConnection& operator=(PeerConnection&&) noexcept;

  // The peer offers.

  /// Checks it against all that was agreed before: m-lines stay in their places with kind and MID,
  /// payload types in use keep their meaning, and the certificate is the same. Changes nothing.
  [[nodiscard]] std::expected<Offer, Error> read_offer(std::string_view text) const;
  /// Whether the peer has new ICE credentials, compared with those before (RFC 8839 §4.4.1.1.1).
  [[nodiscard]] bool restarts_ice(const PeerTransport& peer) const noexcept;
  /// What goes on of what was agreed before, under this offer. An error when the peer has changed
  /// it, except by stopping it.
  [[nodiscard]] std::expected<std::vector<LocalMedium>, Error> continued(const Offer& offer) const;
  /// Takes over the offer, and answers it. An offer of ours that is open is withdrawn; its changes
  /// go into the next one.
  [[nodiscard]] std::string write_answer(const Offer& offer, std::span<const LocalMedium> accepted,
                                         const LocalTransport& local);

  // We offer.

  /// Sends this track from the next offer on, in an m-line that is free or a new one. The answer is
  /// its MID. Refused when the peer has shown by offers that it does not know the codec, or there
  /// are kMaxSections.
  [[nodiscard]] std::expected<std::string, Error> add(const Track& track, const SentSource& source);
  /// Ends what an m-line carries, in the next offer; it is free for another `add` once that has
  /// been answered. Nothing when there is no such m-line.
  void remove(std::string_view mid);
  /// Whether there is something that the peer has not been offered.
  [[nodiscard]] bool has_changes() const noexcept;
  /// How often we have offered.
  [[nodiscard]] std::uint32_t generation() const noexcept;
  /// Whether the last offer waits for its answer.
  [[nodiscard]] bool is_offer_open() const noexcept;
  /// There must be no open offer. `generation` grows.
  [[nodiscard]] std::string write_offer(const LocalTransport& local);
  /// The offer must be open, and still is after an error. What has become of each m-line of ours
  /// that the offer was about: new ones, and those that go on when their numbers have changed.
  [[nodiscard]] std::expected<std::vector<Outcome>, Error> read_answer(std::string_view text);

  // Both.

  /// Of the last offer or answer of the peer; there must have been one.
  [[nodiscard]] const PeerTransport& peer_transport() const noexcept;
  [[nodiscard]] bool has_peer_transport() const noexcept;
  /// Other credentials that came by an ICE restart without SDP (RFC 9725 §4.3.2).
  void set_peer_credentials(std::string ufrag, std::string password);
  /// active or passive, once both sides have spoken.
  [[nodiscard]] sdp::Setup our_setup() const noexcept;
  /// What is agreed now; sections without media are not among them.
  [[nodiscard]] std::vector<LocalMedium> media() const;

 private:
  std::unique_ptr<PeerConnectionState> state_;
};

}  // namespace runnel::negotiation

// A lite ICE agent (RFC 8445) for one peer: answers its checks, and knows by them where it may be
// sent to and for how long (RFC 7675).
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/drop_reason.h"
#include "core/base/path.h"
#include "core/base/time.h"
#include "core/crypto/hmac_sha1.h"
#include "core/ice/credentials.h"
#include "core/stun/message_view.h"

namespace runnel::ice {

struct AgentLimits {
  /// Validated paths that are remembered; at least 1. When a new one has no room, the one whose
  /// last check is the oldest makes it; never the selected one, unless it is the only one.
  std::size_t paths = 8;
  /// Without a check the peer's consent ends after so long (RFC 7675 §5.1).
  Duration consent = std::chrono::seconds(30);
  /// After so long without a check on the selected path, a check without USE-CANDIDATE moves it as
  /// well: a peer whose NAT has given it another address, and which nominates only once, is heard
  /// from there. Longer than what passes between two checks of Chromium (2.5 s), shorter than
  /// between two of RFC 7675 (4 s at least).
  Duration silence = std::chrono::seconds(3);
};

/// A ufrag before the colon of USERNAME, and the one after it.
struct UsernameView {
  std::string_view local;
  std::string_view remote;
};
/// Takes the USERNAME of a check apart (RFC 8445 §7.2.2); nullopt when there is no colon or
/// nothing on one side of it.
[[nodiscard]] std::optional<UsernameView> split_username(std::string_view username) noexcept;

/// Room that an answer to a check needs at most.
inline constexpr std::size_t kMaxResponseSize = 160;

/// A path by which an authentic check has come.
struct ValidatedPath {
  Path path;
  Timestamp last_check{};
};

/// What an authentic check has led to. A check that is answered by an error changes nothing.
struct CheckOutcome {
  /// To be sent to the path that the check came by; in the span that was lent.
  ByteView response;
  /// The path is validated from now on, and was not before.
  bool validated = false;
  /// The path is the selected one from now on, and was not before.
  bool selected = false;
  /// Is not validated any more, to make room.
  std::optional<Path> forgotten;
  /// Credentials that hold no longer: this was the first check under those of a restart.
  std::optional<std::string> retired_ufrag;
};

/// Always controlled, as a lite agent is opposite to a full one (RFC 8445 §6.1.1). It sends no
/// checks and no candidates are told to it: paths come from checks with the right MESSAGE-INTEGRITY
/// and from nothing else. Other requests get no answer, not even an error, so that nobody can use
/// us to send to others or to find out who is here.
///
/// Binding indications keep NATs open; they are not authentic, so there is nothing to tell the
/// agent. One thread. Allocates only in its constructor, `restart` and `set_remote_ufrag`.
class Agent {
 public:
  /// `local` is valid.
  explicit Agent(Credentials local, AgentLimits limits = {});

  // Negotiation.

  /// The newest.
  [[nodiscard]] const Credentials& local() const noexcept { return current_.local; }
  /// Whether checks for this fragment are for this agent: the newest, or the one before a restart.
  [[nodiscard]] bool accepts(std::string_view local_ufrag) const noexcept;
  /// From now on checks under the newest credentials must come from this fragment. Before, any may
  /// send them, since a check can be faster than the description of its sender.
  void set_remote_ufrag(std::string_view ufrag);
  /// ICE restart (RFC 8445 §9). Checks under the old credentials are answered, paths and consent
  /// stay, until the first check under the new ones. Answers the fragment that is given up
  /// at once: of a restart that no check has followed.
  std::optional<std::string> restart(Credentials local);

  // Datagrams.

  /// A request that came by `path`. `out` has kMaxResponseSize bytes. A reason when it is dropped
  /// without answer: malformed (not a Binding request, or without USERNAME or MESSAGE-INTEGRITY),
  /// unknown_path (USERNAME is not for this agent), authentication_failed.
  [[nodiscard]] std::expected<CheckOutcome, DropReason> handle_request(
      Timestamp now, const Path& path, const stun::MessageView& request, ByteSpan out) noexcept;
  /// The path is not the peer's any more (a connection has ended, or another peer is there now); a
  /// copy, since it may be one of `paths()`. When it was selected, the next check selects another.
  void forget(Path path) noexcept;

  // Paths.

  [[nodiscard]] bool is_validated(const Path& path) const noexcept;
  /// Valid until the next call that is not const.
  [[nodiscard]] std::span<const ValidatedPath> paths() const noexcept { return paths_; }
  /// Nominated: where media goes. nullopt: nothing may be sent but answers to DTLS on validated
  /// paths.
  [[nodiscard]] std::optional<Path> selected() const noexcept { return selected_; }
  /// When the peer's consent ends unless a check comes. nullopt: no path was ever nominated.
  [[nodiscard]] std::optional<Timestamp> consent_end() const noexcept { return consent_end_; }

 private:
  /// Credentials and what belongs to them.
  struct Generation {
    explicit Generation(Credentials credentials);
    Credentials local;
    crypto::HmacSha1Key key;
    std::optional<std::string> remote_ufrag;
  };

  [[nodiscard]] const Generation* generation_of(std::string_view username) const noexcept;
  [[nodiscard]] const ValidatedPath* find(const Path& path) const noexcept;
  void validate(Timestamp now, const Path& path, CheckOutcome& outcome) noexcept;
  void make_room(CheckOutcome& outcome) noexcept;
  [[nodiscard]] bool is_to_be_selected(Timestamp now, bool nominated) const noexcept;

  AgentLimits limits_;
  Generation current_;
  std::optional<Generation> previous_;
  std::vector<ValidatedPath> paths_;  // the room is made beforehand
  std::optional<Path> selected_;
  std::optional<Timestamp> consent_end_;
};

}  // namespace runnel::ice

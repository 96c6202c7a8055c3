// The ports, paths and SSRCs that new legs want, against those that others have.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/relay/engine_state.h"
#include "core/relay/source_places.h"

namespace runnel::relay {

/// Takes the legs of one relay, one after the other, and remembers which of them took what. Changes
/// nothing in the engine.
class Claims {
 public:
  /// `replaced`: the relay whose present source will be gone, and with it what it has.
  explicit Claims(const EngineState& state, std::optional<std::uint32_t> replaced = std::nullopt)
      : state_(state), replaced_(replaced) {}

  [[nodiscard]] std::expected<void, RelayError> claim(const SourceLeg& from);
  [[nodiscard]] std::expected<void, RelayError> claim(const ReceiverLeg& leg);

 private:
  using Verdict = std::expected<void, RelayError>;
  using LegNumber = int;  // among the claimed
  static constexpr LegNumber kSource = -1;

  template <typename Medium>
  Verdict claim_peer(transport::PeerId peer, const std::vector<Medium>& media);
  [[nodiscard]] std::set<std::string_view> mids_of(transport::PeerId peer) const;
  [[nodiscard]] bool is_shared(PortIndex port) const noexcept;
  [[nodiscard]] bool is_of_replaced(SsrcDirectory::Holder holder) const noexcept;
  Verdict claim_source_place(const SourceMedium& medium, const SourcePlace& place);
  Verdict claim_receiver_port(const ReceiverLeg& leg, const ReceiverMedium& medium, PortIndex port,
                              const std::optional<SocketAddress>& destination);
  bool claim_port(LegNumber leg, PortIndex port);
  bool claim_ssrc(LegNumber leg, PortIndex port, std::uint32_t ssrc);
  bool claim_latching(PortIndex port);
  bool claim_path(PortIndex port, const SocketAddress& remote);
  [[nodiscard]] bool is_free_for_source(const Path& path) const;

  const EngineState& state_;
  std::optional<std::uint32_t> replaced_;
  LegNumber leg_ = 0;  // the receiver leg that is claiming
  std::map<PortIndex, LegNumber> ports_;
  std::map<PortIndex, LegNumber> latching_;
  std::map<std::pair<PortIndex, std::uint32_t>, LegNumber> ssrcs_;
  std::map<std::pair<PortIndex, SocketAddress>, LegNumber> paths_;
};

}  // namespace runnel::relay

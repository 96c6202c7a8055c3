// A receiver of each profile, and packets for it as any sender would make them.
#pragma once

#include <optional>

#include <gtest/gtest.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {

class ReceiverOfEachProfile : public testing::TestWithParam<Profile> {
 protected:
  static constexpr std::optional<Error> kAccepted = std::nullopt;

  [[nodiscard]] static Profile profile() { return GetParam(); }

  /// As a sender with that rollover counter makes it.
  [[nodiscard]] static Bytes rtp_at(std::uint32_t rollover_counter, std::uint16_t sequence_number,
                                    std::uint32_t ssrc = kSsrc) {
    Sender sender(make_key(profile()), {.initial_rollover_counter = rollover_counter});
    return protect_copy(sender, PacketKind::rtp, rtp_packet(ssrc, sequence_number));
  }
  [[nodiscard]] static Bytes rtcp_at(std::uint32_t index, std::uint32_t ssrc = kSsrc) {
    Sender sender(make_key(profile()), {.initial_srtcp_index = index});
    return protect_copy(sender, PacketKind::rtcp, rtcp_packet(ssrc));
  }

  Receiver receiver_{make_key(profile())};

  [[nodiscard]] std::optional<Error> take_rtp(const Bytes& packet) {
    const auto result = unprotect_copy(receiver_, PacketKind::rtp, packet);
    return result ? std::nullopt : std::optional(result.error());
  }
  [[nodiscard]] std::optional<Error> take_rtcp(const Bytes& packet) {
    const auto result = unprotect_copy(receiver_, PacketKind::rtcp, packet);
    return result ? std::nullopt : std::optional(result.error());
  }
};

}  // namespace runnel::srtp::test

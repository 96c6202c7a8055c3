// Writes descriptions of ours, offers as well as answers, from what each m-line shall say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/answer.h"
#include "core/sdp/description.h"

namespace runnel::negotiation {

/// One payload type, with the RTX that belongs to it.
struct LocalFormat {
  std::uint8_t payload_type = 0;
  std::string rtpmap;      // "VP8/90000"
  std::string parameters;  // of a=fmtp; may be empty
  rtp::FeedbackKinds feedback;
  std::optional<std::uint8_t> retransmission_payload_type;
  std::uint32_t clock_rate = 90'000;
};

struct LocalExtension {
  std::uint8_t id = 0;
  rtp::ExtensionKind kind{};
  std::optional<sdp::Direction> direction;  // as seen from here
};

/// An m-line of ours.
struct LocalSection {
  std::string media;                  // "audio"
  std::string protocol;               // "UDP/TLS/RTP/SAVPF"
  std::vector<std::string> payloads;  // as the peer has offered it; empty: an m-line of ours
  std::string mid;
  bool rejected = false;  // port 0; of what follows only the numbers of the formats count

  sdp::Direction direction = sdp::Direction::inactive;
  std::vector<LocalFormat> formats;  // one at least
  std::vector<LocalExtension> extensions;
  std::vector<OfferedRid> rids;  // that we receive
  std::optional<SentSource> source;
  bool reduced_size_rtcp = false;
};

/// What concerns all m-lines.
struct LocalSession {
  Origin origin;
  sdp::Setup setup = sdp::Setup::passive;
  bool bundle = true;
  bool mixed_extensions = false;
};

/// Connection and certificate are said in each m-line, candidates in the first that is not
/// rejected, which is the one that all are bundled into.
[[nodiscard]] std::string write_description(const LocalSession& session,
                                            std::span<const LocalSection> sections,
                                            const LocalTransport& local);

}  // namespace runnel::negotiation

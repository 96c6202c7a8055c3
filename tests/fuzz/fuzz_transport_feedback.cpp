// Transport-wide feedback and REMB: what is accepted is read to its end without leaving its bytes,
// and feedback written from what was read says the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/rtp/remb.h"
#include "core/rtp/transport_feedback.h"

namespace {

using namespace runnel;

std::vector<rtp::TransportStatus> read_all(rtp::TransportFeedbackReader reader) {
  std::vector<rtp::TransportStatus> statuses;
  while (const auto status = reader.next()) {
    RUNNEL_CHECK(status->received || !status->arrival);
    RUNNEL_CHECK(status->number ==
                 static_cast<std::uint16_t>(reader.base_number() + statuses.size()));
    statuses.push_back(*status);
  }
  RUNNEL_CHECK(statuses.size() == reader.status_count());
  return statuses;
}

std::optional<Timestamp> arrival(const rtp::TransportStatus& status) {
  if (!status.arrival) return std::nullopt;
  return Timestamp(*status.arrival);
}

void write_again(const rtp::TransportFeedbackReader& reader) {
  const auto statuses = read_all(reader);
  std::array<std::uint8_t, rtp::TransportFeedbackWriter::kMaxSize> out;
  std::size_t done = 0;
  while (done != statuses.size()) {
    rtp::TransportFeedbackWriter::Head head{.sender_ssrc = reader.sender_ssrc(),
                                            .media_ssrc = reader.media_ssrc(),
                                            .base_number = statuses[done].number,
                                            .feedback_number = reader.feedback_number()};
    for (std::size_t i = done; i < statuses.size(); ++i) {
      if (!statuses[i].arrival) continue;
      head.first_arrival = *arrival(statuses[i]);
      break;
    }
    rtp::TransportFeedbackWriter writer(head, out);
    std::size_t end = done;
    while (end != statuses.size() && writer.add(arrival(statuses[end]))) ++end;
    RUNNEL_CHECK(end != done && writer.status_count() == end - done);
    const std::size_t size = writer.finish();
    RUNNEL_CHECK(size % 4 == 0 && size <= out.size());
    const ByteView packet = ByteView(out).first(size);
    RUNNEL_CHECK(rtp::check_rtcp(packet).has_value());
    auto again = rtp::TransportFeedbackReader::parse(*rtp::RtcpReader(packet).next());
    RUNNEL_CHECK(again.has_value());
    // The reference time wraps, so that only differences can be compared.
    std::optional<Duration> shift;
    for (const auto& status : read_all(*again)) {
      const auto& expected = statuses[done++];
      RUNNEL_CHECK(status.number == expected.number);
      RUNNEL_CHECK(status.arrival.has_value() == expected.arrival.has_value());
      if (!status.arrival) continue;
      const Duration difference = *status.arrival - *expected.arrival;
      if (!shift) shift = difference;
      RUNNEL_CHECK(*shift == difference);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rtp::RtcpReader packets({data, size});
  std::uint64_t sum = 0;
  while (const auto packet = packets.next()) {
    if (const auto reader = rtp::TransportFeedbackReader::parse(*packet)) write_again(*reader);
    if (const auto remb = rtp::RembView::parse(*packet)) {
      sum += remb->bitrate() + remb->sender_ssrc();
      for (std::size_t i = 0; i < remb->ssrc_count(); ++i) sum += remb->ssrc(i);
    }
  }
  [[maybe_unused]] volatile std::uint64_t keep = sum;
  return 0;
}

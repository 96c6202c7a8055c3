#include "core/rtp/transport_feedback.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using Statuses = std::vector<TransportStatus>;

std::expected<TransportFeedbackReader, Error> read(const Bytes& packet) {
  RtcpReader reader(packet);
  const auto first = reader.next();
  if (!first) return std::unexpected(Error::truncated);
  return TransportFeedbackReader::parse(*first);
}

Statuses statuses(const Bytes& packet) {
  Statuses all;
  auto reader = read(packet);
  EXPECT_TRUE(reader.has_value());
  while (const auto status = reader->next()) all.push_back(*status);
  return all;
}

/// A feedback packet of the given chunks and deltas, with the reference time 0.
Bytes with_chunks(std::uint16_t count, const Bytes& chunks_and_deltas) {
  Bytes packet = from_hex("8fcd0000 00000001 00000002 0000 0000 000000 00");
  store_be16(packet.data() + 14, count);
  packet.insert(packet.end(), chunks_and_deltas.begin(), chunks_and_deltas.end());
  packet.resize((packet.size() + 3) / 4 * 4);
  store_be16(packet.data() + 2, static_cast<std::uint16_t>(packet.size() / 4 - 1));
  return packet;
}

TEST(TransportFeedbackVectors, AreReadAsTheirSourcesSay) {
  for (const json& vector : load_feedback_vectors("transport_wide")) {
    SCOPED_TRACE(vector.at("id"));
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    auto reader = read(packet);
    ASSERT_TRUE(reader.has_value());
    EXPECT_EQ(reader->sender_ssrc(), vector.at("sender_ssrc"));
    EXPECT_EQ(reader->media_ssrc(), vector.at("media_ssrc"));
    EXPECT_EQ(reader->base_number(), vector.at("base"));
    EXPECT_EQ(reader->status_count(), vector.at("count"));
    EXPECT_EQ(reader->reference_time(), vector.at("reference_64ms"));
    EXPECT_EQ(reader->feedback_number(), vector.at("feedback_number"));

    std::uint16_t number = vector.at("base");
    Duration arrival = vector.at("reference_64ms").get<std::int64_t>() * milliseconds(64);
    for (const json& run : vector.at("runs")) {
      for (int i = 0; i < run[0]; ++i) {
        const auto status = reader->next();
        ASSERT_TRUE(status.has_value());
        EXPECT_EQ(status->number, number++);
        EXPECT_EQ(status->received, run[1] != 0);
        ASSERT_EQ(status->arrival.has_value(), !run[2].is_null());
        if (run[2].is_null()) continue;
        arrival += microseconds(run[2].get<std::int64_t>());
        EXPECT_EQ(*status->arrival, arrival);
      }
    }
    EXPECT_FALSE(reader->next().has_value());
  }
}

TEST(TransportFeedbackVectors, AreRefusedWhereSomethingIsMissing) {
  for (const json& vector : load_feedback_vectors("invalid")) {
    SCOPED_TRACE(vector.at("id"));
    EXPECT_FALSE(read(from_hex(vector.at("packet").get<std::string>())).has_value());
  }
}

TEST(TransportFeedbackVectors, AreRefusedOnceCutWithinWhatTheyPromise) {
  for (const json& vector : load_feedback_vectors("transport_wide")) {
    SCOPED_TRACE(vector.at("id"));
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    RtcpReader reader(packet);
    const RtcpPacketView whole = *reader.next();
    bool refused_so_far = true;
    for (std::size_t size = 0; size <= whole.body.size(); ++size) {
      // A copy of its own, so that a read behind the cut is a read behind an allocation.
      const Bytes body(whole.body.begin(), whole.body.begin() + static_cast<std::ptrdiff_t>(size));
      auto parsed = TransportFeedbackReader::parse({whole.type, whole.count, body});
      EXPECT_TRUE(parsed.has_value() || refused_so_far) << "zeros at the end may be left out";
      refused_so_far = !parsed.has_value();
      if (parsed) {
        while (parsed->next()) {
        }
      }
    }
    EXPECT_FALSE(refused_so_far);
  }
}

TEST(TransportFeedbackVectors, OfChunksAndDeltasAreUnderstood) {
  for (const json& vector : load_feedback_vectors("chunks")) {
    SCOPED_TRACE(vector.dump());
    if (vector.contains("delta")) {
      const Bytes delta = from_hex(vector.at("delta").get<std::string>());
      Bytes bytes = delta.size() == 1 ? from_hex("2001") : from_hex("4001");
      bytes.insert(bytes.end(), delta.begin(), delta.end());
      EXPECT_EQ(statuses(with_chunks(1, bytes)).at(0).arrival,
                microseconds(vector.at("meaning_us").get<std::int64_t>()));
      continue;
    }
    Bytes bytes = from_hex(vector.at("chunk").get<std::string>());
    bytes.resize(bytes.size() + 40);  // for the deltas
    const json& meaning = vector.at("meaning");
    if (meaning.is_array()) {
      const auto all = statuses(with_chunks(static_cast<std::uint16_t>(meaning.size()), bytes));
      for (std::size_t i = 0; i < meaning.size(); ++i) {
        EXPECT_EQ(all.at(i).received, meaning[i] != 0);
        EXPECT_EQ(all.at(i).arrival.has_value(), meaning[i] == 1 || meaning[i] == 2);
      }
    } else {
      const bool received = meaning == "run of 24 received without delta (status 3)";
      const auto all = statuses(with_chunks(received ? 24 : 221, bytes));
      for (const auto& status : all) {
        EXPECT_EQ(status.received, received);
        EXPECT_FALSE(status.arrival.has_value());
      }
    }
  }
}

TEST(TransportFeedback, OfAnotherKindIsNotRead) {
  const Bytes nack = from_hex("81cd0003 11111111 22222222 00050000");
  EXPECT_EQ(read(nack).error(), Error::bad_type);
}

/// From the writer, for statuses from `first` on; all must fit.
Bytes write(std::uint16_t first, const std::vector<std::optional<Timestamp>>& arrivals,
            std::size_t room = TransportFeedbackWriter::kMaxSize) {
  TransportFeedbackWriter::Head head{.sender_ssrc = 1,
                                     .media_ssrc = 2,
                                     .base_number = first,
                                     .feedback_number = 3,
                                     .first_arrival = {}};
  for (const auto& arrival : arrivals) {
    if (!arrival) continue;
    head.first_arrival = *arrival;
    break;
  }
  Bytes packet(room);
  TransportFeedbackWriter writer(head, packet);
  for (const auto& arrival : arrivals) EXPECT_TRUE(writer.add(arrival));
  packet.resize(writer.finish());
  EXPECT_TRUE(check_rtcp(packet).has_value());
  return packet;
}

Timestamp at(std::int64_t quarter_milliseconds) {
  return Timestamp(microseconds(250 * quarter_milliseconds));
}

TEST(TransportFeedbackWriter, WritesWhatTheDraftLaysOut) {
  // Reference time 2 (128 ms); a vector of two bits: small, not received, large, small.
  EXPECT_EQ(to_hex(write(0xfffe, {at(513), std::nullopt, at(813), at(813)})),
            to_hex(from_hex("8fcd0006 00000001 00000002 fffe0004 000002 03 d240 01 012c 00 0000")));
  // A run of 20 small deltas.
  const Bytes run = write(7, std::vector<std::optional<Timestamp>>(20, at(0)));
  EXPECT_EQ(to_hex(ByteView(run).subspan(12, 10)), "00070014000000032014");
  // Twenty lost, then one.
  std::vector<std::optional<Timestamp>> lost(20);
  lost.push_back(at(256));
  EXPECT_EQ(to_hex(ByteView(write(7, lost)).subspan(12, 13)), "00070015000001030014200100");
}

TEST(TransportFeedbackWriter, WritesNothingOfNothing) {
  Bytes out(100);
  TransportFeedbackWriter writer({.first_arrival = at(0)}, out);
  EXPECT_EQ(writer.finish(), 0u);
}

TEST(TransportFeedbackWriter, EndsBeforeAnArrivalThatIsTooFarFromTheOneBefore) {
  Bytes out(100);
  TransportFeedbackWriter writer({.first_arrival = at(0)}, out);
  EXPECT_TRUE(writer.add(at(0)));
  EXPECT_FALSE(writer.add(at(32768)));
  EXPECT_TRUE(writer.add(at(32767)));
  EXPECT_FALSE(writer.add(at(-2)));
  EXPECT_TRUE(writer.add(at(-1)));
  EXPECT_EQ(writer.status_count(), 3);
  out.resize(writer.finish());
  EXPECT_EQ(statuses(out).size(), 3u);
}

TEST(TransportFeedbackWriter, FitsOneStatusIntoItsSmallestRoom) {
  EXPECT_EQ(write(1, {at(10)}, TransportFeedbackWriter::kMinSize).size(), 24u);
  Bytes less(TransportFeedbackWriter::kMinSize - 4);
  TransportFeedbackWriter writer({.first_arrival = at(10)}, less);
  EXPECT_FALSE(writer.add(at(10)));
  EXPECT_EQ(writer.finish(), 0u);
}

TEST(TransportFeedbackWriter, DoesNotLetTheRoundingOfDeltasAddUp) {
  std::vector<std::optional<Timestamp>> arrivals;
  for (int i = 0; i < 500; ++i) arrivals.push_back(Timestamp(microseconds(333 * i)));
  const auto read_back = statuses(write(0, arrivals));
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const Duration error = arrivals[i]->time_since_epoch() - *read_back[i].arrival;
    EXPECT_GE(error, Duration::zero());
    EXPECT_LT(error, microseconds(250));
  }
}

TEST(TransportFeedbackWriter, SaysTheReferenceTimeIn24BitsWithASign) {
  const std::int64_t ticks = (std::int64_t{1} << 23) * 256;
  EXPECT_EQ(read(write(0, {at(ticks - 1)}))->reference_time(), (1 << 23) - 1);
  EXPECT_EQ(read(write(0, {at(ticks)}))->reference_time(), -(1 << 23));
  EXPECT_EQ(read(write(0, {at(-1)}))->reference_time(), -1);
}

TEST(TransportFeedbackWriter, IsReadBackWhateverItIsGiven) {
  std::mt19937 random(8);
  for (int round = 0; round < 5000; ++round) {
    const auto draw = [&](std::uint64_t below) {
      return static_cast<std::int64_t>(random() % below);
    };
    const std::int64_t loss = draw(5) * 20, jump = draw(3) * 20;
    std::vector<std::optional<Timestamp>> arrivals;
    std::int64_t now = draw(1'000'000);
    TransportFeedbackWriter::Head head{.sender_ssrc = 1,
                                       .media_ssrc = 2,
                                       .base_number = static_cast<std::uint16_t>(random()),
                                       .feedback_number = 9,
                                       .first_arrival = at(now)};
    Bytes out(TransportFeedbackWriter::kMinSize + random() % 300);
    TransportFeedbackWriter writer(head, out);
    bool first = true;
    const std::size_t runs = random() % 20;
    for (std::size_t run = 0; run < runs; ++run) {
      const bool lost = draw(100) < loss;
      const std::size_t length = random() % 4 == 0 ? random() % 60 : 1 + random() % 3;
      for (std::size_t i = 0; i < length; ++i) {
        if (!lost && !first) now += draw(100) < jump ? draw(1000) - 400 : draw(9);
        const auto arrival = lost ? std::nullopt : std::optional(at(now));
        first = first && lost;
        if (!writer.add(arrival)) break;
        arrivals.push_back(arrival);
      }
    }
    ASSERT_EQ(writer.status_count(), arrivals.size());
    const std::size_t size = writer.finish();
    ASSERT_LE(size, out.size());
    out.resize(size);
    if (arrivals.empty()) continue;
    const auto read_back = statuses(out);
    ASSERT_EQ(read_back.size(), arrivals.size());
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      ASSERT_EQ(read_back[i].number, static_cast<std::uint16_t>(head.base_number + i));
      ASSERT_EQ(read_back[i].received, arrivals[i].has_value());
      if (arrivals[i]) {
        ASSERT_EQ(*read_back[i].arrival, arrivals[i]->time_since_epoch());
      }
    }
  }
}

}  // namespace
}  // namespace runnel::rtp

#include "core/rtp/transport_feedback.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/byte_writer.h"

namespace runnel::rtp {
namespace {

constexpr std::size_t kCommonHeaderSize = 4;
constexpr std::size_t kFixedSize = 16;  // of the body
constexpr Duration kTick = std::chrono::microseconds(250);
constexpr std::int64_t kTicksPerReference = 256;  // 64 ms
constexpr std::uint16_t kMaxRun = 0x1fff;

enum Symbol : std::uint8_t {
  kNotReceived = 0,
  kSmallDelta = 1,
  kLargeDelta = 2,  // or negative
  kWithoutDelta = 3,
};

std::size_t delta_size(std::uint8_t symbol) noexcept {
  return symbol == kSmallDelta ? 1 : symbol == kLargeDelta ? 2 : 0;
}

//   0                   1
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |0| S |       run length        |  of one symbol
//  |1|0|       14 symbols          |  of one bit: not received, small delta
//  |1|1|        7 symbols          |  of two bits
constexpr std::uint16_t kVector = 0x8000;
constexpr std::uint16_t kTwoBits = 0x4000;

std::uint16_t symbols_in(std::uint16_t chunk) noexcept {
  if ((chunk & kVector) == 0) return chunk & kMaxRun;
  return (chunk & kTwoBits) != 0 ? 7 : 14;
}

/// `left` of the chunk's symbols are not taken yet, the asked one included.
std::uint8_t symbol_in(std::uint16_t chunk, std::uint16_t left) noexcept {
  if ((chunk & kVector) == 0) return (chunk >> 13) & 0x03;
  if ((chunk & kTwoBits) != 0) return (chunk >> (2 * (left - 1))) & 0x03;
  return (chunk >> (left - 1)) & 0x01;
}

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Ticks since the clock's zero. Differences of them do not add up their rounding.
std::int64_t to_ticks(Timestamp when) noexcept {
  return floor_divide(when.time_since_epoch().count(), kTick.count());
}

}  // namespace

TransportFeedbackReader::TransportFeedbackReader(ByteView body) noexcept
    : body_(body), chunks_(body.subspan(kFixedSize)), deltas_(ByteView{}) {}

std::expected<TransportFeedbackReader, Error> TransportFeedbackReader::parse(
    const RtcpPacketView& packet) noexcept {
  if (!is_transport_feedback(packet)) return std::unexpected(Error::bad_type);
  if (packet.body.size() < kFixedSize) return std::unexpected(Error::bad_length);
  TransportFeedbackReader reader(packet.body);
  if (!reader.holds()) return std::unexpected(Error::bad_length);
  return reader;
}

bool TransportFeedbackReader::holds() noexcept {
  ByteReader chunks = chunks_;
  std::size_t deltas_size = 0;
  for (std::size_t left = status_count(); left != 0;) {
    const auto chunk = chunks.u16();
    if (!chunk || symbols_in(*chunk) == 0) return false;
    const auto symbols =
        static_cast<std::uint16_t>(std::min<std::size_t>(left, symbols_in(*chunk)));
    left -= symbols;
    if ((*chunk & kVector) == 0) {
      deltas_size += symbols * delta_size(symbol_in(*chunk, 1));
      continue;
    }
    for (std::uint16_t i = 0; i < symbols; ++i) {
      const auto behind = static_cast<std::uint16_t>(symbols_in(*chunk) - i);
      deltas_size += delta_size(symbol_in(*chunk, behind));
    }
  }
  deltas_ = chunks;
  arrival_ = reference_time() * kTicksPerReference;
  return deltas_size <= deltas_.remaining();
}

std::int32_t TransportFeedbackReader::reference_time() const noexcept {
  return static_cast<std::int32_t>(load_be24(body_.data() + 12) << 8) >> 8;
}

std::uint8_t TransportFeedbackReader::next_symbol() noexcept {
  if (left_in_chunk_ == 0) {
    chunk_ = chunks_.u16().value_or(0);
    left_in_chunk_ = symbols_in(chunk_);
  }
  return symbol_in(chunk_, left_in_chunk_--);
}

std::optional<TransportStatus> TransportFeedbackReader::next() noexcept {
  if (done_ == status_count()) return std::nullopt;
  const std::uint8_t symbol = next_symbol();
  TransportStatus status{.number = static_cast<std::uint16_t>(base_number() + done_++),
                         .received = symbol != kNotReceived,
                         .arrival = std::nullopt};
  if (symbol == kSmallDelta) {
    arrival_ += deltas_.u8().value_or(0);
  } else if (symbol == kLargeDelta) {
    arrival_ += static_cast<std::int16_t>(deltas_.u16().value_or(0));
  } else {
    return status;
  }
  status.arrival = arrival_ * kTick;
  return status;
}

TransportFeedbackWriter::TransportFeedbackWriter(const Head& head, ByteSpan out) noexcept
    : head_(head),
      out_(out.first(std::min(out.size(), kMaxSize) / 4 * 4)),
      size_(kCommonHeaderSize + kFixedSize) {
  // Rounded down, so that the first delta is from 0 to 255.
  reference_ = floor_divide(to_ticks(head.first_arrival), kTicksPerReference);
  arrival_ = reference_ * kTicksPerReference;
}

bool TransportFeedbackWriter::add(std::optional<Timestamp> arrival) noexcept {
  // What waits and the new symbol may need two chunks.
  constexpr std::size_t kWaitingSize = 4;
  std::uint8_t symbol = kNotReceived;
  std::int64_t delta = 0;
  if (arrival) {
    delta = to_ticks(*arrival) - arrival_;
    symbol = delta >= 0 && delta <= 0xff ? kSmallDelta : kLargeDelta;
    if (delta < std::numeric_limits<std::int16_t>::min() ||
        delta > std::numeric_limits<std::int16_t>::max()) {
      return false;
    }
  }
  if (size_ + kWaitingSize + deltas_size_ + delta_size(symbol) > out_.size() ||
      count_ == std::numeric_limits<std::uint16_t>::max()) {
    return false;
  }
  arrival_ += delta;
  if (symbol == kLargeDelta) {
    store_be16(deltas_.data() + deltas_size_, static_cast<std::uint16_t>(delta));
  } else if (symbol == kSmallDelta) {
    deltas_[deltas_size_] = static_cast<std::uint8_t>(delta);
  }
  deltas_size_ += delta_size(symbol);
  ++count_;
  put_symbol(symbol);
  return true;
}

void TransportFeedbackWriter::put_symbol(std::uint8_t symbol) noexcept {
  if (waiting_count_ == 0 || (waiting_equal_ && waiting_[0] == symbol)) {
    wait(symbol);
    if (waiting_count_ == kMaxRun) put_run();
    return;
  }
  const std::uint16_t room = waiting_large_ || symbol == kLargeDelta ? kTwoBitSymbols : kSymbols;
  if (waiting_count_ >= room) {
    // Either a run that is worth its own chunk, or symbols of one bit to which the first of two
    // bits comes.
    if (waiting_equal_) {
      put_run();
    } else {
      put_vector_of_two_bits();
    }
    put_symbol(symbol);
    return;
  }
  wait(symbol);
  if (waiting_count_ == room) put_vector();
}

void TransportFeedbackWriter::wait(std::uint8_t symbol) noexcept {
  waiting_equal_ = waiting_count_ == 0 || (waiting_equal_ && waiting_[0] == symbol);
  waiting_large_ = symbol == kLargeDelta || (waiting_count_ != 0 && waiting_large_);
  // The rest of a longer run is known by its first.
  if (waiting_count_ < waiting_.size()) waiting_[waiting_count_] = symbol;
  ++waiting_count_;
}

void TransportFeedbackWriter::put_run() noexcept {
  put_chunk(static_cast<std::uint16_t>(waiting_[0] << 13 | waiting_count_));
  waiting_count_ = 0;
}

void TransportFeedbackWriter::put_vector() noexcept {
  if (waiting_large_) {
    put_vector_of_two_bits();
    return;
  }
  std::uint16_t chunk = kVector;
  for (std::uint16_t i = 0; i < waiting_count_; ++i) {
    chunk = static_cast<std::uint16_t>(chunk | waiting_[i] << (kSymbols - 1 - i));
  }
  put_chunk(chunk);
  waiting_count_ = 0;
}

void TransportFeedbackWriter::put_vector_of_two_bits() noexcept {
  std::uint16_t chunk = kVector | kTwoBits;
  const std::uint16_t taken = std::min(waiting_count_, kTwoBitSymbols);
  for (std::uint16_t i = 0; i < taken; ++i) {
    chunk = static_cast<std::uint16_t>(chunk | waiting_[i] << (2 * (kTwoBitSymbols - 1 - i)));
  }
  put_chunk(chunk);
  const auto waiting = waiting_;
  const std::uint16_t left = std::exchange(waiting_count_, std::uint16_t{0}) - taken;
  for (std::uint16_t i = 0; i < left; ++i) wait(waiting[taken + i]);
}

void TransportFeedbackWriter::put_chunk(std::uint16_t chunk) noexcept {
  store_be16(out_.data() + size_, chunk);
  size_ += sizeof chunk;
}

std::size_t TransportFeedbackWriter::finish() noexcept {
  if (count_ == 0) return 0;
  if (waiting_count_ != 0 && waiting_equal_) put_run();
  if (waiting_count_ != 0) put_vector();
  const std::size_t size = (size_ + deltas_size_ + 3) / 4 * 4;
  ByteWriter writer(out_.first(size));
  writer.u8(0x80 | kTransportFeedbackTransportWide);
  writer.u8(static_cast<std::uint8_t>(RtcpType::transport_feedback));
  writer.u16(static_cast<std::uint16_t>(size / 4 - 1));
  writer.u32(head_.sender_ssrc);
  writer.u32(head_.media_ssrc);
  writer.u16(head_.base_number);
  writer.u16(count_);
  writer.u24(static_cast<std::uint32_t>(reference_));
  writer.u8(head_.feedback_number);
  copy_bytes(out_.subspan(size_), ByteView(deltas_).first(deltas_size_));
  std::ranges::fill(out_.subspan(size_ + deltas_size_, size - size_ - deltas_size_), 0);
  return size;
}

}  // namespace runnel::rtp

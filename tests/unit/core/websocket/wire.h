// Both ends of a connection in a test: frames as a peer writes them, and events as a test reads
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/websocket/connection.h"

namespace runnel::websocket::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}
inline Bytes copy_of(ByteView view) {
  return {view.begin(), view.end()};
}
inline std::string text_of(ByteView view) {
  return {view.begin(), view.end()};
}

inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Bytes noise(std::size_t size, std::size_t seed = 1) {
  std::minstd_rand random(static_cast<unsigned>(seed));
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 8);
  return bytes;
}

class SeededRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random_() >> 8);
  }

 private:
  std::minstd_rand random_{7};
};

struct Frame {
  bool fin = true;
  bool rsv1 = false;
  Opcode opcode = Opcode::binary;
};

/// A frame as a client writes it, masked, or as a server does.
inline Bytes frame(Frame kind, Bytes payload, Role sender = Role::client) {
  FrameHeader header{
      .fin = kind.fin, .rsv1 = kind.rsv1, .opcode = kind.opcode, .payload_size = payload.size()};
  if (sender == Role::client) {
    header.masking_key = MaskingKey{0x37, 0xfa, 0x21, 0x3d};
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] ^= (*header.masking_key)[i % 4];
  }
  return copy_of(encode(header).view()) + payload;
}
inline Bytes text(std::string_view payload) {
  return frame({.opcode = Opcode::text}, bytes_of(payload));
}
inline Bytes binary(Bytes payload) {
  return frame({}, std::move(payload));
}
inline Bytes close_payload(std::uint16_t code, std::string_view reason = {}) {
  return Bytes{static_cast<std::uint8_t>(code >> 8), static_cast<std::uint8_t>(code)} +
         bytes_of(reason);
}

/// An event that owns what it tells.
struct Told {
  std::string kind;  // "text", "binary", "ping", "pong" or "closed"
  Bytes payload;     // of "closed": the reason
  CloseCode code{};
  std::optional<Error> error;
  bool by_peer = false;

  friend bool operator==(const Told&, const Told&) = default;
};

inline Told told(const Event& event) {
  Told out{};
  if (const auto* message = std::get_if<Message>(&event)) {
    out.kind = message->opcode == Opcode::text ? "text" : "binary";
    out.payload = copy_of(message->payload);
  } else if (const auto* ping = std::get_if<Ping>(&event)) {
    out.kind = "ping";
    out.payload = copy_of(ping->payload);
  } else if (const auto* pong = std::get_if<Pong>(&event)) {
    out.kind = "pong";
    out.payload = copy_of(pong->payload);
  } else if (const auto* closed = std::get_if<Closed>(&event)) {
    out.kind = "closed";
    out.payload = bytes_of(closed->reason);
    out.code = closed->code;
    out.error = closed->error;
    out.by_peer = closed->by_peer;
  }
  return out;
}

inline std::vector<Told> drain(Connection& connection) {
  std::vector<Told> events;
  while (const auto event = connection.next()) events.push_back(told(*event));
  return events;
}

inline constexpr Timestamp kStart{std::chrono::seconds(1000)};

/// Feeds `wire` in pieces of at most `piece` bytes; each lies alone in memory that ends with it, so
/// that a sanitizer sees every step outside.
inline std::vector<Told> receive(Connection& connection, const Bytes& wire,
                                 std::size_t piece = SIZE_MAX, Bytes* output = nullptr) {
  std::vector<Told> events;
  for (std::size_t i = 0; i < wire.size();) {
    const std::size_t size = std::min(piece, wire.size() - i);
    Bytes bytes(wire.begin() + static_cast<std::ptrdiff_t>(i),
                wire.begin() + static_cast<std::ptrdiff_t>(i + size));
    connection.receive(kStart, bytes);
    for (Told& event : drain(connection)) events.push_back(std::move(event));
    if (output != nullptr) *output = *output + copy_of(connection.take_output());
    i += size;
  }
  return events;
}

/// The only event: a Closed because of `error`.
inline bool fails_with(const std::vector<Told>& events, Error error) {
  return events.size() == 1 && events[0].kind == "closed" && events[0].error == error &&
         events[0].code == close_code(error);
}

}  // namespace runnel::websocket::test

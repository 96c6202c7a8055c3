// Helpers for tests of voice sessions: time in milliseconds, audio, and messages as clients send
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/rtp/rtp_packet.h"
#include "core/voice/session.h"

namespace runnel::voice {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint32_t kFirstTimestamp = 0xffffff00;
inline constexpr std::uint16_t kFirstSequenceNumber = 65535;

/// The clock of a test does not begin at 0.
inline Timestamp at(std::int64_t milliseconds) {
  return Timestamp{} + std::chrono::hours(1) + std::chrono::milliseconds(milliseconds);
}

inline Options sample_options() {
  Options options;
  options.stream = "support";
  for (std::size_t i = 0; i < options.id.size(); ++i) options.id[i] = static_cast<std::uint8_t>(i);
  options.ssrc = 0x12345678;
  options.first_sequence_number = kFirstSequenceNumber;
  options.first_timestamp = {kFirstTimestamp};
  return options;
}

/// `size` samples, of which no two neighbours are equal.
inline Bytes audio(std::size_t size, std::uint8_t first = 0) {
  Bytes samples(size);
  for (std::size_t i = 0; i < size; ++i) samples[i] = static_cast<std::uint8_t>(first + i * 7);
  return samples;
}

inline std::string agent_media(ByteView samples) {
  return R"({"event":"media","media":{"payload":")" + encode_base64(samples) + R"("}})";
}

/// As Twilio writes it, with its numbers as texts.
inline std::string caller_media(ByteView samples, std::uint64_t timestamp_ms) {
  return R"({"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2",)"
         R"("timestamp":")" +
         std::to_string(timestamp_ms) + R"(","payload":")" + encode_base64(samples) +
         R"("},"streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0"})";
}

inline constexpr std::string_view kConnected =
    R"({"event":"connected","protocol":"Call","version":"1.0.0"})";
inline constexpr std::string_view kStart =
    R"({"event":"start","sequenceNumber":"1","start":{"accountSid":"AC00000000000000000000000000000001",
"streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0","callSid":"CA00000000000000000000000000000002",
"tracks":["inbound"],"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1},
"customParameters":{"FirstName":"Jane","LastName":"Doe"}},
"streamSid":"MZ18ad3ab5a668481ce02b83e7395059f0"})";

inline rtp::RtpPacketView view(const Packet& packet) {
  return rtp::RtpPacketView::parse(packet.bytes()).value();
}

/// The payloads of all packets, one behind the other.
inline Bytes spoken(const Output& output) {
  Bytes samples;
  for (const Packet& packet : output.packets) {
    const ByteView payload = view(packet).payload();
    samples.insert(samples.end(), payload.begin(), payload.end());
  }
  return samples;
}

/// An RTP packet of the stream that is heard.
inline Bytes heard_packet(std::uint16_t sequence_number, std::uint32_t timestamp, ByteView payload,
                          std::uint8_t payload_type = 0, std::uint32_t ssrc = 7) {
  rtp::RtpHeader header;
  header.payload_type = payload_type;
  header.sequence_number = sequence_number;
  header.timestamp = {timestamp};
  header.ssrc = ssrc;
  Bytes packet(rtp::kFixedHeaderSize + payload.size());
  (void)rtp::write_header(header, packet);
  copy_bytes(ByteSpan(packet).subspan(rtp::kFixedHeaderSize), payload);
  return packet;
}

inline std::vector<nlohmann::json> parsed(const std::vector<std::string>& texts) {
  std::vector<nlohmann::json> messages;
  for (const std::string& text : texts) messages.push_back(nlohmann::json::parse(text));
  return messages;
}

inline Bytes payload_of(const nlohmann::json& message) {
  const std::string text = message.at("media").at("payload");
  Bytes samples(text.size());
  samples.resize(decode_base64(text, samples).value());
  return samples;
}

}  // namespace runnel::voice

// A websocket leg at work: its tracks between the engine's packets and binary messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/frames/drop_gate.h"
#include "core/frames/frame_assembler.h"
#include "core/frames/frame_packetizer.h"
#include "core/relay/relay_description.h"
#include "core/session/connection_id.h"
#include "core/session/session_record.h"

namespace runnel::session {

struct MessageTrack {
  MessageTrack(std::uint16_t channel_number, const rtp::Codec& codec, std::size_t engine_medium)
      : channel(channel_number),
        format(frames::format_of(codec)),
        medium(engine_medium),
        gate(format) {}

  std::uint16_t channel;  // in binary messages
  frames::Format format;
  std::size_t medium;                                   // of the engine
  frames::DropGate gate;                                // of a subscription
  std::unique_ptr<frames::FrameAssembler> assembler;    // of a subscription to frames
  std::unique_ptr<frames::FramePacketizer> packetizer;  // of a publication of frames
  std::optional<Timestamp> asked;  // for a key frame, that the assembler still waits for
  bool wishes_key_frame = false;   // stands among DeskState::key_frame_wishes
  /// The frame that has begun and whose message is to be given again; empty: none.
  ByteView packetizing;

  // Of a subscription to frames: whose packets they are, and the time of the last one by both
  // clocks.
  std::optional<std::uint32_t> ssrc;
  std::uint64_t frame_us = 0;
  Timestamp frame_at{};
};

struct MessageLeg {
  relay::ChannelId channel{};
  LegKey key;
  std::size_t relay = 0;
  std::size_t receiver = 0;
  bool is_publication = false;
  signalling::MediaFormat format = signalling::MediaFormat::rtp;
  std::optional<ConnectionId> connection;  // nullopt: it is away
  std::vector<MessageTrack> tracks;        // by medium of the leg
  std::uint64_t dropped_packets = 0;       // since its reader is too slow
  std::optional<Timestamp> told_drops;     // when the client was last told so
  bool has_drops_to_tell = false;          // again, since it may not have heard of the last ones
  bool voice_listener = false;             // what comes for it is played to a voice connection

  /// What comes next does not go on with what came before: a pause, or another connection.
  void begin_anew() noexcept {
    for (MessageTrack& track : tracks) {
      track.gate.reset();
      track.gate.lose();
      track.packetizing = {};
      track.asked.reset();
      if (track.assembler) track.assembler->lose();
    }
  }
};

/// All websocket legs by the number that the engine knows them by. A number is given out again only
/// after 2^32 others, so that what the engine still has to say to an old one reaches nobody.
class MessageLegs {
 public:
  [[nodiscard]] relay::ChannelId add(MessageLeg leg) {
    while (legs_.contains(next_)) ++next_;
    const auto channel = static_cast<relay::ChannelId>(next_);
    leg.channel = channel;
    legs_.emplace(next_++, std::move(leg));
    return channel;
  }
  void remove(relay::ChannelId channel) { legs_.erase(static_cast<std::uint32_t>(channel)); }
  /// nullptr: there is none. Valid until it is removed.
  [[nodiscard]] MessageLeg* find(relay::ChannelId channel) noexcept {
    const auto found = legs_.find(static_cast<std::uint32_t>(channel));
    return found == legs_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::uint32_t, MessageLeg> legs_;
  std::uint32_t next_ = 0;
};

}  // namespace runnel::session

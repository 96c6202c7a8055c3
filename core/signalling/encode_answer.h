// One function for each answer and event: a struct becomes the members of a JSON object.
#pragma once

#include "core/signalling/answer.h"
#include "core/signalling/json_writer.h"

namespace runnel::signalling {

// Each writes into an object that is open already.
void write_members(JsonWriter& json, const HelloAnswer& answer);
void write_members(JsonWriter& json, const Leg& answer);
void write_members(JsonWriter& json, const WatchAnswer& answer);
void write_members(JsonWriter& json, const StatsAnswer& answer);
void write_members(JsonWriter& json, const RestartAnswer& answer);
void write_members(JsonWriter& json, const Done& answer);
void write_members(JsonWriter& json, const StreamSummary& summary);

// Events: their name, too.
void write_members(JsonWriter& json, const StreamEvent& event);
void write_members(JsonWriter& json, const LegEnded& event);
void write_members(JsonWriter& json, const LegState& event);
void write_members(JsonWriter& json, const KeyFrameWanted& event);
void write_members(JsonWriter& json, const ReceptionReport& event);
void write_members(JsonWriter& json, const ClockReport& event);
void write_members(JsonWriter& json, const StatsEvent& event);
void write_members(JsonWriter& json, const SlowReader& event);
void write_members(JsonWriter& json, const OfferMade& event);
void write_members(JsonWriter& json, const PeerState& event);

[[nodiscard]] std::string_view to_string(StreamState state) noexcept;

}  // namespace runnel::signalling

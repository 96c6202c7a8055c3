#include "core/voice/client_message.h"

#include <algorithm>
#include <charconv>

#include "core/base/base64.h"
#include "core/voice/json_fields.h"

namespace runnel::voice {
namespace {

template <typename T>
using Expected = std::expected<T, Error>;

// Longer than any call; the RTP timestamps that are made of it wrap by themselves.
constexpr std::uint64_t kLatestTimestamp = std::uint64_t{1} << 40;  // ms

const std::vector<std::string_view> kPaths{"event",
                                           "streamSid",
                                           "start.streamSid",
                                           "start.mediaFormat.encoding",
                                           "start.mediaFormat.sampleRate",
                                           "start.mediaFormat.channels",
                                           "media.track",
                                           "media.timestamp",
                                           "media.payload",
                                           "mark.name",
                                           "dtmf.digit"};

std::unexpected<Error> refuse(std::string text) {
  return std::unexpected(Error{ErrorCode::bad_message, std::move(text)});
}
std::unexpected<Error> refuse(std::string_view path, std::string_view why) {
  return refuse(std::string(path) + ": " + std::string(why));
}

/// Empty when it is not there.
Expected<std::string> optional_text(const JsonFields& fields, std::string_view path,
                                    std::size_t longest) {
  const FieldValue* value = fields.find(path);
  if (value == nullptr) return std::string();
  const auto* text = std::get_if<std::string>(value);
  if (text == nullptr) return refuse(path, "is no text");
  if (text->size() <= longest) return *text;
  return refuse(path, "is longer than " + std::to_string(longest) + " bytes");
}

Expected<std::string> require_text(const JsonFields& fields, std::string_view path,
                                   std::size_t longest) {
  auto text = optional_text(fields, path, longest);
  if (text && text->empty()) return refuse(path, "is missing, or empty");
  return text;
}

/// Twilio writes numbers as texts in some places and as numbers in others.
Expected<std::optional<std::uint64_t>> optional_number(const JsonFields& fields,
                                                       std::string_view path,
                                                       std::uint64_t highest) {
  const FieldValue* value = fields.find(path);
  if (value == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  if (const auto* whole = std::get_if<std::uint64_t>(value)) {
    number = *whole;
  } else {
    const auto* text = std::get_if<std::string>(value);
    const char* end = text != nullptr ? text->data() + text->size() : nullptr;
    const auto [stop, error] =
        std::from_chars(text != nullptr ? text->data() : nullptr, end, number);
    if (text == nullptr || text->empty() || error != std::errc{} || stop != end) {
      return refuse(path, "is no whole number");
    }
  }
  if (number > highest) return refuse(path, "is larger than " + std::to_string(highest));
  return number;
}

Expected<std::string> stream_sid_of(const JsonFields& fields) {
  return optional_text(fields, "streamSid", kMaxStreamSid);
}

Expected<ClientMessage> parse_start(const JsonFields& fields) {
  auto stream_sid = stream_sid_of(fields);
  if (stream_sid && stream_sid->empty()) {
    stream_sid = require_text(fields, "start.streamSid", kMaxStreamSid);
  }
  if (!stream_sid) return std::unexpected(std::move(stream_sid.error()));
  const auto encoding = require_text(fields, "start.mediaFormat.encoding", 64);
  if (!encoding) return std::unexpected(encoding.error());
  const auto rate = optional_number(fields, "start.mediaFormat.sampleRate", 1'000'000);
  if (!rate) return std::unexpected(rate.error());
  const auto channels = optional_number(fields, "start.mediaFormat.channels", 255);
  if (!channels) return std::unexpected(channels.error());
  if (*encoding == "audio/x-mulaw" && *rate == 8000u && *channels == 1u) {
    return Start{std::move(*stream_sid)};
  }
  return std::unexpected(
      Error{ErrorCode::unsupported_media,
            "start.mediaFormat: only audio/x-mulaw with a sampleRate of 8000 and 1 channel is "
            "taken, as nothing is transcoded"});
}

Expected<ClientMessage> parse_media(const JsonFields& fields) {
  auto stream_sid = stream_sid_of(fields);
  if (!stream_sid) return std::unexpected(std::move(stream_sid.error()));
  auto track = optional_text(fields, "media.track", 32);
  if (!track) return std::unexpected(std::move(track.error()));
  const auto timestamp = optional_number(fields, "media.timestamp", kLatestTimestamp);
  if (!timestamp) return std::unexpected(timestamp.error());
  const FieldValue* payload = fields.find("media.payload");
  const auto* text = payload != nullptr ? std::get_if<std::string>(payload) : nullptr;
  if (text == nullptr) return refuse("media.payload", "is missing, or no text");
  Media media{std::move(*stream_sid), std::move(*track), *timestamp, {}};
  media.audio.resize((text->size() + 3) / 4 * 3);
  const auto size = decode_base64(*text, media.audio);
  if (!size) return refuse("media.payload", "is no base64");
  media.audio.resize(*size);
  return media;
}

Expected<ClientMessage> parse_mark(const JsonFields& fields) {
  auto stream_sid = stream_sid_of(fields);
  if (!stream_sid) return std::unexpected(std::move(stream_sid.error()));
  auto name = require_text(fields, "mark.name", kMaxMarkName);
  if (!name) return std::unexpected(std::move(name.error()));
  return Mark{std::move(*stream_sid), std::move(*name)};
}

Expected<ClientMessage> parse_clear(const JsonFields& fields) {
  auto stream_sid = stream_sid_of(fields);
  if (!stream_sid) return std::unexpected(std::move(stream_sid.error()));
  return Clear{std::move(*stream_sid)};
}

Expected<ClientMessage> parse_dtmf(const JsonFields& fields) {
  constexpr std::string_view kDigits = "0123456789*#ABCD";
  const auto digit = require_text(fields, "dtmf.digit", 16);
  if (!digit) return std::unexpected(digit.error());
  if (digit->size() == 1 && kDigits.find(digit->front()) != std::string_view::npos) {
    return Dtmf{digit->front()};
  }
  return refuse("dtmf.digit", "is none of 0 to 9, *, #, A, B, C and D");
}

template <typename Message>
Expected<ClientMessage> without_fields(const JsonFields&) {
  return Message{};
}

struct KnownEvent {
  std::string_view name;
  Expected<ClientMessage> (*parse)(const JsonFields& fields);
};
constexpr KnownEvent kEvents[] = {
    {"connected", without_fields<Connected>},
    {"start", parse_start},
    {"media", parse_media},
    {"mark", parse_mark},
    {"clear", parse_clear},
    {"dtmf", parse_dtmf},
    {"stop", without_fields<Stop>},
};

}  // namespace

std::expected<ClientMessage, Error> parse_message(std::string_view text) {
  const auto fields = JsonFields::parse(text, kPaths);
  if (!fields) return refuse(fields.error());
  const FieldValue* event = fields->find("event");
  const auto* name = event != nullptr ? std::get_if<std::string>(event) : nullptr;
  if (name == nullptr) return refuse("event", "is missing, or no text");
  const auto* known = std::ranges::find(kEvents, *name, &KnownEvent::name);
  if (known == std::ranges::end(kEvents)) return Unknown{};
  return known->parse(*fields);
}

}  // namespace runnel::voice

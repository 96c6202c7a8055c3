// The entries of `media`: what comes in from a source, what goes out to a receiver.
#pragma once

#include <optional>

#include "config/config.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// `siblings` are the media of the leg so far; the name defaults to the kind, with a number from
/// the second of a kind on.
[[nodiscard]] std::optional<SourceMedium> load_source_medium(
    const Value& value, const std::vector<SourceMedium>& siblings);

/// What a receiver's medium refers to.
struct ReceiverMediumContext {
  const std::vector<SourceMedium>& sources;
  const std::vector<Listen>& shared;  // listen.media
  bool latch = false;
};
[[nodiscard]] std::optional<ReceiverMedium> load_receiver_medium(
    const Value& value, const ReceiverMediumContext& context);

}  // namespace runnel::config

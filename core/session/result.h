// The outcome of a request: an answer, or the reason why not.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "core/relay/engine.h"
#include "core/signalling/answer.h"
#include "core/signalling/error.h"

namespace runnel::session {

template <typename T>
using Expected = std::expected<T, signalling::Error>;
using Result = Expected<signalling::Answer>;

[[nodiscard]] inline std::unexpected<signalling::Error> refuse(
    signalling::ErrorCode code, std::string text,
    std::optional<std::chrono::milliseconds> retry = std::nullopt) {
  return std::unexpected(signalling::Error{code, std::move(text), retry});
}

/// What a refusal of the engine means to a client.
[[nodiscard]] signalling::Error from_engine(relay::RelayError error);

}  // namespace runnel::session

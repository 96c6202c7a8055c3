// What the load is to be, by the command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "core/base/address.h"

namespace runnel::load {

struct Options {
  SocketAddress server;  // of signalling: "http://127.0.0.1:7080"
  std::string stream;
  std::size_t subscribers = 200;
  std::chrono::seconds seconds{5};  // of media, once all have joined
};

/// The arguments without the program's name; nullopt: they make no sense.
[[nodiscard]] std::optional<Options> parse_options(std::span<char* const> arguments);

}  // namespace runnel::load

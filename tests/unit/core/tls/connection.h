// A client and a stream that have shaken hands, and what they say to each other.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tests/unit/core/tls/client.h"

namespace runnel::tls {

inline std::size_t write_text(Stream& stream, std::string_view text) {
  const std::array views{bytes_of(text)};
  return stream.write(views);
}

inline std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  return text;
}

/// Handshake done, nothing on the wire.
struct Connection {
  explicit Connection(const ClientOptions& options = {}, StreamLimits limits = {})
      : stream(sample_context(), limits), client(options) {
    exchange(client, stream);
  }
  std::string client_reads() {
    client.put_input(stream.pending());
    stream.consumed(stream.pending().size());
    return client.read();
  }
  Stream stream;
  Client client;
};

}  // namespace runnel::tls

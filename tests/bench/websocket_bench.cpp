// WebSocket frames read and written beside two peers, wslay and Boost.Beast. A socket is memory
// here: reading copies at most 256 KiB at once out of it, writing only looks at what is to be
// written.
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>
#include <wslay/wslay.h>

#include <benchmark/benchmark.h>

#include "core/websocket/connection.h"
#include "core/websocket/handshake.h"
#include "tests/bench/paired.h"

namespace {

using namespace runnel;
using namespace runnel::websocket;
using runnel::bench::run_paired;

constexpr std::size_t kReadSize = std::size_t{256} << 10;

std::vector<std::uint8_t> payload_of(std::size_t size) {
  std::vector<std::uint8_t> payload(size);
  std::iota(payload.begin(), payload.end(), std::uint8_t{1});
  return payload;
}

/// Binary messages of a client, one frame each.
std::vector<std::uint8_t> masked_frames(std::size_t payload_size, std::size_t count) {
  std::vector<std::uint8_t> wire;
  for (std::size_t i = 0; i < count; ++i) {
    const MaskingKey key{0x37, 0xfa, 0x21, static_cast<std::uint8_t>(i)};
    std::vector<std::uint8_t> payload = payload_of(payload_size);
    crypto::xor_masking_key(payload, key);
    const auto header = encode({.masking_key = key, .payload_size = payload_size});
    wire.insert(wire.end(), header.view().begin(), header.view().end());
    wire.insert(wire.end(), payload.begin(), payload.end());
  }
  return wire;
}

/// What a socket would hold, read again and again.
class Wire {
 public:
  explicit Wire(ByteView bytes) : left_(bytes) {}

  std::size_t read(std::uint8_t* out, std::size_t room) {
    const std::size_t size = std::min({room, left_.size(), kReadSize});
    copy_bytes({out, room}, left_.first(size));
    left_ = left_.subspan(size);
    return size;
  }
  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  ByteView left_;
};

/// What a user does with a message: look at it.
struct Seen {
  std::size_t messages = 0;
  std::size_t bytes = 0;
  std::size_t written = 0;

  void see(ByteView payload) {
    benchmark::DoNotOptimize(payload.data());
    ++messages;
    bytes += payload.size();
  }
  void write(ByteView bytes_out) {
    benchmark::DoNotOptimize(bytes_out.data());
    written += bytes_out.size();
  }
};

class Runnel {
 public:
  void read(ByteView bytes) {
    Wire wire(bytes);
    while (!wire.at_end()) {
      const std::size_t size = wire.read(buffer_.data(), buffer_.size());
      connection_.receive({}, ByteSpan(buffer_).first(size));
      while (const auto event = connection_.next()) {
        if (const auto* message = std::get_if<Message>(&*event)) seen.see(message->payload);
      }
    }
  }
  void write(ByteView payload) {
    const auto frame = connection_.frame(Opcode::binary, payload);
    seen.write(frame->header.view());
    seen.write(frame->payload);
  }

  Seen seen;

 private:
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(kReadSize);
  Connection connection_{{}, {.limits = {.max_frame_size = 2 << 20, .max_message_size = 2 << 20}}};
};

class Wslay {
 public:
  Wslay() {
    wslay_event_callbacks callbacks{};
    callbacks.recv_callback = [](wslay_event_context_ptr context, std::uint8_t* out,
                                 std::size_t room, int, void* self) {
      const std::size_t size = static_cast<Wslay*>(self)->wire_.read(out, room);
      if (size == 0) wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
      return size == 0 ? ssize_t{-1} : static_cast<ssize_t>(size);
    };
    callbacks.send_callback = [](wslay_event_context_ptr, const std::uint8_t* bytes,
                                 std::size_t size, int, void* self) {
      static_cast<Wslay*>(self)->seen.write({bytes, size});
      return static_cast<ssize_t>(size);
    };
    callbacks.on_msg_recv_callback = [](wslay_event_context_ptr,
                                        const wslay_event_on_msg_recv_arg* message, void* self) {
      static_cast<Wslay*>(self)->seen.see({message->msg, message->msg_length});
    };
    if (wslay_event_context_server_init(&context_, &callbacks, this) != 0) std::abort();
  }
  Wslay(const Wslay&) = delete;
  ~Wslay() { wslay_event_context_free(context_); }

  void read(ByteView bytes) {
    wire_ = Wire(bytes);
    while (!wire_.at_end()) wslay_event_recv(context_);
  }
  void write(ByteView payload) {
    const wslay_event_msg message{
        .opcode = WSLAY_BINARY_FRAME, .msg = payload.data(), .msg_length = payload.size()};
    wslay_event_queue_msg(context_, &message);
    wslay_event_send(context_);
  }

  Seen seen;

 private:
  Wire wire_{{}};
  wslay_event_context_ptr context_ = nullptr;
};

namespace beast = boost::beast;
namespace asio = boost::asio;

/// The wire as Beast wants it: a stream of Asio.
class MemoryStream {
 public:
  using executor_type = asio::io_context::executor_type;

  MemoryStream(asio::io_context& context, Seen& seen) : context_(&context), seen_(&seen) {}
  executor_type get_executor() { return context_->get_executor(); }
  void supply(ByteView bytes) { wire_ = Wire(bytes); }
  [[nodiscard]] bool at_end() const { return wire_.at_end(); }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, beast::error_code& error) {
    std::size_t size = 0;
    for (const asio::mutable_buffer buffer : beast::buffers_range_ref(buffers)) {
      size += wire_.read(static_cast<std::uint8_t*>(buffer.data()), buffer.size());
    }
    error = size == 0 ? beast::error_code(asio::error::eof) : beast::error_code();
    return size;
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, beast::error_code& error) {
    error = {};
    std::size_t size = 0;
    for (const asio::const_buffer buffer : beast::buffers_range_ref(buffers)) {
      seen_->write({static_cast<const std::uint8_t*>(buffer.data()), buffer.size()});
      size += buffer.size();
    }
    return size;
  }
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers) {
    beast::error_code error;
    const std::size_t size = read_some(buffers, error);
    if (error) throw beast::system_error(error);
    return size;
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers) {
    beast::error_code error;
    return write_some(buffers, error);
  }
  friend void teardown(beast::role_type, MemoryStream&, beast::error_code& error) { error = {}; }

 private:
  asio::io_context* context_;
  Seen* seen_;
  Wire wire_{{}};
};

class Beast {
 public:
  Beast() {
    const std::string head = request_head({.host = "localhost", .target = "/"});
    stream_.next_layer().supply({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()});
    stream_.accept();
    stream_.auto_fragment(false);
    stream_.binary(true);
    seen = {};
  }

  void read(ByteView bytes) {
    stream_.next_layer().supply(bytes);
    const std::size_t until = seen.bytes + expected_bytes;
    while (seen.bytes < until) {
      buffer_.clear();
      stream_.read(buffer_);
      seen.see({static_cast<const std::uint8_t*>(buffer_.cdata().data()), buffer_.size()});
    }
  }
  void write(ByteView payload) { stream_.write(asio::buffer(payload.data(), payload.size())); }

  Seen seen;
  std::size_t expected_bytes =
      0;  // payload of one read(): it cannot be asked whether more is there

 private:
  asio::io_context context_;
  beast::websocket::stream<MemoryStream> stream_{context_, seen};
  beast::flat_buffer buffer_;
};

std::size_t messages_per_round(std::size_t payload_size) {
  return std::clamp<std::size_t>((std::size_t{64} << 10) / payload_size, 4, 512);
}

template <typename Peer>
void read_masked(benchmark::State& state, std::size_t payload_size) {
  const std::size_t count = messages_per_round(payload_size);
  const std::vector<std::uint8_t> wire = masked_frames(payload_size, count);
  Runnel ours;
  Peer peer;
  if constexpr (requires { peer.expected_bytes; }) peer.expected_bytes = count * payload_size;
  run_paired(state, static_cast<double>(count), [&] { ours.read(wire); }, [&] { peer.read(wire); });
  if (ours.seen.bytes != ours.seen.messages * payload_size || ours.seen.bytes != peer.seen.bytes) {
    state.SkipWithError("a message was not read, or not alike");
  }
}

template <typename Peer>
void write(benchmark::State& state, std::size_t payload_size) {
  constexpr std::size_t kCount = 64;
  const std::vector<std::uint8_t> payload = payload_of(payload_size);
  Runnel ours;
  Peer peer;
  const auto write_all = [&payload](auto& writer) {
    for (std::size_t i = 0; i < kCount; ++i) writer.write(payload);
  };
  run_paired(
      state, static_cast<double>(kCount), [&] { write_all(ours); }, [&] { write_all(peer); });
  if (ours.seen.written != peer.seen.written) state.SkipWithError("not written alike");
}

using Function = void (*)(benchmark::State&, std::size_t);

void add(const std::string& what, Function function, std::size_t size, const std::string& peer) {
  const std::string name = what + '/' + std::to_string(size) + "/beside:" + peer;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    function(state, size);
  })->UseManualTime();
}

bool register_all() {
  for (const std::size_t size : {16UZ, 125UZ, 1UZ << 10, 16UZ << 10, 1UZ << 20}) {
    add("websocket_read", read_masked<Wslay>, size, "wslay");
    add("websocket_read", read_masked<Beast>, size, "beast");
    add("websocket_write", write<Wslay>, size, "wslay");
    add("websocket_write", write<Beast>, size, "beast");
  }
  return true;
}

// Before main(), which is Google Benchmark's.
[[maybe_unused]] const bool registered = register_all();

}  // namespace

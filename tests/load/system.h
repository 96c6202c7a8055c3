// What the test's peers are lent of the system: its clock, its randomness, its sockets.
#pragma once

#include <chrono>
#include <random>
#include <unistd.h>
#include <utility>

#include "core/base/random.h"
#include "core/base/time.h"

namespace runnel::load {

[[nodiscard]] inline Timestamp read_clock() {
  return Timestamp(std::chrono::steady_clock::now().time_since_epoch());
}

class DeviceRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(device_());
  }

 private:
  std::random_device device_;
};

/// Closed with its owner.
class Socket {
 public:
  explicit Socket(int descriptor) noexcept : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace runnel::load

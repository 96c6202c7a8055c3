// What a forwarder under test has to do: one source, many receivers, all keys. Read from a small
// text file that tests/bench/run writes, so that every contender gets the same task.
#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <vector>

namespace runnel::bench {

enum class Suite : std::uint8_t { aes_cm_128_hmac_sha1_80, aead_aes_128_gcm };

struct ReceiverSetup {
  sockaddr_in destination{};
  std::vector<std::uint8_t> key_and_salt;
};

struct Setup {
  Suite suite = Suite::aes_cm_128_hmac_sha1_80;
  sockaddr_in listen{};
  std::vector<std::uint8_t> source_key_and_salt;
  std::vector<ReceiverSetup> receivers;
};

/// Lines of the file: "suite NAME", "listen IP PORT", "source BASE64", "receiver IP PORT BASE64".
/// Ends the process with a message when the file is not of this form.
[[nodiscard]] Setup read_setup(const std::string& path);

}  // namespace runnel::bench

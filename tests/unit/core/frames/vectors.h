// The streams of tests/vectors/frames, and the MD5 by which their frames are known.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <openssl/evp.h>

#include "core/base/bytes.h"
#include "tests/unit/core/frames/packets.h"
#include "tests/vectors/hexadecimal.h"

namespace runnel::frames {

inline Bytes load_file(const std::string& name) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/frames/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The RTP packets of NAME.rtp.
inline std::vector<Bytes> load_packets(const std::string& name) {
  const Bytes bytes = load_file(name + ".rtp");
  std::vector<Bytes> packets;
  for (ByteView rest = bytes; !rest.empty();) {
    const std::size_t size = load_be16(rest.data());
    const ByteView packet = rest.subspan(2, size);
    packets.emplace_back(packet.begin(), packet.end());
    rest = rest.subspan(2 + size);
  }
  return packets;
}

/// The frames of NAME.ivf: behind 32 bytes, each behind its length (little-endian) and its time.
inline std::vector<Bytes> load_ivf(const std::string& name) {
  const Bytes bytes = load_file(name + ".ivf");
  std::vector<Bytes> frames;
  for (ByteView rest = ByteView(bytes).subspan(32); !rest.empty();) {
    const auto size = static_cast<std::size_t>(rest[0] | rest[1] << 8 | rest[2] << 16);
    const ByteView frame = rest.subspan(12, size);
    frames.emplace_back(frame.begin(), frame.end());
    rest = rest.subspan(12 + size);
  }
  return frames;
}

/// A line of NAME.frames.
struct ExpectedFrame {
  std::uint64_t timestamp_us = 0;
  char key = '_';
  std::string md5;
};

inline std::vector<ExpectedFrame> load_frames(const std::string& name) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/frames/" + name + ".frames");
  std::vector<ExpectedFrame> frames;
  ExpectedFrame frame;
  while (file >> frame.timestamp_us >> frame.key >> frame.md5) frames.push_back(frame);
  return frames;
}

inline std::string md5_of(ByteView bytes) {
  std::uint8_t digest[16];
  EVP_Digest(bytes.data(), bytes.size(), digest, nullptr, EVP_md5(), nullptr);
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace runnel::frames

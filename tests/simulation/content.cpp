#include "tests/simulation/content.h"

namespace runnel::simulation {
namespace {

std::uint8_t filler(std::uint32_t number, std::size_t index) {
  return static_cast<std::uint8_t>((number * 2654435761U + index * 40503U) >> 7);
}

}  // namespace

Bytes make_content(Content content, std::size_t size) {
  Bytes bytes(size);
  store_be32(bytes.data(), content.number);
  store_be32(bytes.data() + 4, content.frame);
  for (std::size_t i = kMinContentSize; i < size; ++i) bytes[i] = filler(content.number, i);
  return bytes;
}

std::optional<Content> read_content(ByteView payload) {
  if (payload.size() < kMinContentSize) return std::nullopt;
  const Content content{load_be32(payload.data()), load_be32(payload.data() + 4)};
  for (std::size_t i = kMinContentSize; i < payload.size(); ++i) {
    if (payload[i] != filler(content.number, i)) return std::nullopt;
  }
  return content;
}

}  // namespace runnel::simulation

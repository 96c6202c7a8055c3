// hello and bye: the beginning and the end of a session.
#include "core/signalling/codec.h"
#include "core/signalling/decode_request.h"

namespace runnel::signalling {
namespace {

constexpr std::size_t kMaxVersions = 16;
constexpr std::size_t kLongestSession = 128;
constexpr std::uint64_t kLastVersion = 1000;

std::optional<std::string> read_token(const Field& field) {
  const auto text = field.text({1, kMaxTokenLength});
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::string> read_session(const Field& field) {
  const auto text = field.text({1, kLongestSession});
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

}  // namespace

Hello decode_hello(const Field& request) {
  Hello hello;
  if (const auto versions = request.find("versions")) {
    for (const Field& item : versions->items({0, kMaxVersions})) {
      const auto version = item.integer({1, kLastVersion});
      if (version) hello.versions.push_back(static_cast<int>(*version));
    }
  }
  request.read_into(hello.token, "token", read_token);
  request.read_into(hello.resume, "resume", read_session);
  return hello;
}

Bye decode_bye(const Field&) {
  return {};
}

}  // namespace runnel::signalling

// Any text is a configuration or a list of complaints, each on one line and none with a key in it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/loader.h"
#include "config/session_description.h"
#include "config/summary.h"
#include "core/base/check.h"

namespace {

using namespace runnel::config;

constexpr std::string_view kSecret = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0";  // 30 bytes

/// Files and variables exist when their names are short; all of them hold the key.
const Surroundings kSurroundings{
    [](const std::string& name) -> std::optional<std::string> {
      if (name.size() > 3) return std::nullopt;
      return std::string(kSecret);
    },
    [](const std::string& path) -> std::expected<std::string, std::string> {
      if (path.size() > 3) return std::unexpected("No such file or directory");
      return std::string(kSecret);
    },
    [](const std::string& path) { return path.size() == 1; }};

void check(const Problem& problem) {
  const std::string line = problem.to_string();
  RUNNEL_CHECK(line.starts_with("fuzz.yaml"));
  RUNNEL_CHECK(line.find('\n') == std::string::npos);
  RUNNEL_CHECK(line.find(kSecret) == std::string::npos);
  RUNNEL_CHECK(!problem.text.empty() && !problem.remedy.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto loaded = load_text(text, "fuzz.yaml", kSurroundings);
  if (!loaded) {
    RUNNEL_CHECK(!loaded.error().empty());
    for (const Problem& problem : loaded.error()) check(problem);
    return 0;
  }
  for (const Problem& warning : loaded->warnings) check(warning);
  RUNNEL_CHECK(summary(*loaded).find(kSecret) == std::string::npos);
  for (const Relay& relay : loaded->config.relays) {
    for (std::size_t i = 0; i < relay.to.size(); ++i) {
      const auto sdp = session_description(loaded->config, relay.stream, i);
      RUNNEL_CHECK(sdp.has_value() != relay.to[i].latch_first);
    }
  }
  return 0;
}

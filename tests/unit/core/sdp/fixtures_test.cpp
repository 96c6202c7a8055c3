// Offers of real clients come out as they went in.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/sdp/description.h"

namespace runnel::sdp {
namespace {

std::vector<std::filesystem::path> fixtures() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(RUNNEL_VECTORS_DIR "/sdp")) {
    if (entry.path().extension() == ".sdp") found.push_back(entry.path());
  }
  return found;
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' && !out.ends_with('\r')) out += '\r';
    out += c;
  }
  return out;
}

TEST(Fixtures, AreParsedAndWrittenWithoutLoss) {
  ASSERT_GE(fixtures().size(), 27u);
  for (const auto& path : fixtures()) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto description = parse(text);
    ASSERT_TRUE(description) << path << ": " << description.error().to_string();
    const std::string written = write(*description);
    EXPECT_EQ(written, with_crlf(text)) << path;
    const auto again = parse(written);
    ASSERT_TRUE(again) << path;
    EXPECT_EQ(*again, *description) << path;
  }
}

}  // namespace
}  // namespace runnel::sdp

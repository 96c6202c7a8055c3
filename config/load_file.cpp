// The only place in config/ that touches files and environment.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "config/loader.h"
#include "core/base/secret.h"

namespace runnel::config {
namespace {

namespace fs = std::filesystem;

/// At most `highest` bytes and one, so that the caller sees that there are more.
std::expected<std::string, std::string> read_file(const fs::path& path, std::size_t highest) {
  std::error_code error;
  if (fs::is_directory(path, error)) return std::unexpected("it is a folder");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::unexpected(std::strerror(errno == 0 ? EIO : errno));
  std::string content(highest + 1, '\0');
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (stream.bad()) return std::unexpected(std::strerror(errno == 0 ? EIO : errno));
  content.resize(static_cast<std::size_t>(stream.gcount()));
  return content;
}

bool open_to_others(const fs::path& path) {
  std::error_code error;
  const fs::perms permissions = fs::status(path, error).permissions();
  const fs::perms others = fs::perms::group_write | fs::perms::others_all;
  return !error && (permissions & others) != fs::perms::none;
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

}  // namespace

std::expected<Loaded, std::vector<Problem>> load_file(const std::string& path) {
  constexpr std::size_t kMaxKeyFile = 4096;
  auto text = read_file(path, kMaxFileSize);
  if (!text) {
    return std::unexpected(std::vector{Problem{{path, 0, ""},
                                               "cannot read the file: " + text.error(),
                                               "name another with --config FILE"}});
  }
  const fs::path folder = fs::path(path).parent_path();
  const Surroundings surroundings{
      environment, [&](const std::string& name) { return read_file(folder / name, kMaxKeyFile); },
      [&](const std::string& name) { return open_to_others(folder / name); },
      [&](const std::string& name) { return (folder / name).string(); }};
  auto loaded = load_text(*text, path, surroundings);
  wipe(text->data(), text->size());
  return loaded;
}

}  // namespace runnel::config

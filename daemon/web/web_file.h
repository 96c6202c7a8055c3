// The files of daemon/web, as the build embeds them in the binary (embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace runnel::daemon {

/// Everything lives as long as the program.
struct WebFile {
  std::string_view path;  // below daemon/web, such as "page/main.js"
  std::string_view bytes;
  std::string_view hash;  // of the bytes, in hexadecimal
};

[[nodiscard]] std::span<const WebFile> web_files() noexcept;

}  // namespace runnel::daemon

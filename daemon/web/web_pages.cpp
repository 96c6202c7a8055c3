#include "daemon/web/web_pages.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "daemon/web/web_file.h"

namespace runnel::daemon {
namespace {

constexpr std::string_view kPlayerPath = "/watch/";
constexpr std::string_view kFolder = "/web/";

std::string_view file_at(std::string_view path) noexcept {
  if (path == "/") return "index.html";
  if (path.starts_with(kPlayerPath)) return "watch.html";
  if (path == "/runnel.js") return "runnel.js";
  return path.starts_with(kFolder) ? path.substr(kFolder.size()) : std::string_view{};
}

std::string_view content_type_of(std::string_view path) noexcept {
  if (path.ends_with(".html")) return "text/html; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "image/svg+xml";
}

std::string policy(bool may_be_framed) {
  return std::string(
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
             "media-src 'self' blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors ") +
         (may_be_framed ? "*" : "'none'");
}

// RFC 9110 §8.8.3.2: the weak comparison, by which W/"x" and "x" are the same.
bool names(const std::string& if_none_match, std::string_view etag) {
  std::string_view rest = if_none_match;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t start = item.find_first_not_of(" \t");
    if (start == std::string_view::npos) continue;
    item = item.substr(start, item.find_last_not_of(" \t") - start + 1);
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (item == etag || item == "*") return true;
  }
  return false;
}

}  // namespace

std::optional<http::Response> WebPages::answer(const http::Request& request) {
  const auto files = web_files();
  const auto file = std::ranges::find(files, file_at(request.path), &WebFile::path);
  if (file == files.end()) return std::nullopt;
  const std::string etag = '"' + std::string(file->hash) + '"';
  http::Response response;
  if (names(request.headers.combined("If-None-Match"), etag)) {
    response.status = 304;
  } else {
    response = http::Response::text(content_type_of(file->path), std::string(file->bytes));
  }
  response.headers.add("ETag", etag);
  response.headers.add("Cache-Control", "no-cache");
  response.headers.add("Content-Security-Policy", policy(request.path.starts_with(kPlayerPath)));
  response.headers.add("X-Content-Type-Options", "nosniff");
  response.headers.add("Referrer-Policy", "no-referrer");
  return response;
}

}  // namespace runnel::daemon

// Writes responses.
#include "core/http/response.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/http/characters.h"

namespace runnel::http {
namespace {

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 32> kReasonPhrases{{
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
}};

bool has_body(std::uint16_t status) noexcept {
  return status >= 200 && status != 204 && status != 304;
}

bool is_safe(const Field& field) noexcept {
  for (const std::string_view own : {"Content-Length", "Connection", "Transfer-Encoding"}) {
    if (equal_ignoring_case(field.name, own)) return false;
  }
  return is_token(field.name) && std::ranges::none_of(field.value, is_forbidden_in_line);
}

void write_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

std::string_view connection_value(const Response& response, bool keep_alive) noexcept {
  if (response.status == 101) return "Upgrade";
  if (response.headers.contains("Upgrade")) {
    return keep_alive ? "Upgrade, keep-alive" : "Upgrade, close";
  }
  return keep_alive ? "keep-alive" : "close";
}

}  // namespace

std::string_view reason_phrase(std::uint16_t status) noexcept {
  for (const auto& [known, phrase] : kReasonPhrases) {
    if (known == status) return phrase;
  }
  return "";
}

Response Response::text(std::string_view content_type, std::string body) {
  return {.headers = {{"Content-Type", std::string(content_type)}}, .body = std::move(body)};
}

std::string write_response(const Response& response, WriteOptions options) {
  const bool is_status = response.status >= 100 && response.status <= 999;
  if (!is_status || !std::ranges::all_of(response.headers, is_safe)) {
    return write_response({.status = 500}, options);
  }
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  out.append(reason_phrase(response.status)).append("\r\n");
  for (const Field& field : response.headers) write_field(out, field.name, field.value);
  write_field(out, "Connection", connection_value(response, options.keep_alive));
  if (has_body(response.status) && !options.is_endless) {
    write_field(out, "Content-Length", std::to_string(response.body.size()));
  }
  out += "\r\n";
  if (has_body(response.status) && !options.head_only) out += response.body;
  return out;
}

}  // namespace runnel::http

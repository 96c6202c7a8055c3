// The fields of HTTP that WHIP and WHEP rest on: media types, conditions, links.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/http/request.h"
#include "core/http/response.h"
#include "core/whip/settings.h"

namespace runnel::whip {

inline constexpr std::string_view kSdp = "application/sdp";
inline constexpr std::string_view kFragment = "application/trickle-ice-sdpfrag";
inline constexpr std::string_view kJson = "application/json";

/// Whether Content-Type names this type; parameters do not matter. False with several of them.
[[nodiscard]] bool has_media_type(const http::Request& request, std::string_view type);

/// RFC 9110 §13.1.1 for a resource that exists and has the strong `entity_tag`.
enum class Condition : std::uint8_t {
  missing,  // there is no If-Match
  met,
  failed,  // also of a field that is not well-formed
};
/// `"*"` in quotation marks, as examples of RFC 9725 write it, is the same as `*`.
[[nodiscard]] Condition if_match(const http::Request& request, std::string_view entity_tag);

/// One Link for each URL (RFC 8288, RFC 9725 §4.6).
void add_ice_servers(const Settings& settings, http::Response& response);
/// `<path>; rel="relation"` and `attributes` behind it, such as `; events="active"`.
void add_link(std::string_view path, std::string_view relation, std::string_view attributes,
              http::Response& response);

}  // namespace runnel::whip

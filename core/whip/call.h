// One request to WHIP or WHEP whose path is known: what each of its functions is called with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/http/request.h"
#include "core/session/desk.h"
#include "core/session/moment.h"
#include "core/session/resource.h"
#include "core/whip/settings.h"

namespace runnel::whip {

struct Call {
  session::Desk& desk;
  const Settings& settings;
  const session::Moment& moment;
  const session::Client& client;
  const http::Request& request;
  const std::vector<std::string>& captures;  // of the path: stream, id, number
  signalling::LegRole role;

  [[nodiscard]] bool is_publication() const noexcept {
    return role == signalling::LegRole::publication;
  }
  [[nodiscard]] const std::string& stream() const { return captures[0]; }
  [[nodiscard]] const std::string& id() const { return captures[1]; }
  /// Of paths with an id.
  [[nodiscard]] session::ResourceName resource() const { return {role, stream(), id()}; }
  [[nodiscard]] std::string_view body() const noexcept {
    return {reinterpret_cast<const char*>(request.body.data()), request.body.size()};
  }
};

}  // namespace runnel::whip

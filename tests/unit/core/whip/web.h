// A client of HTTP in front of the endpoints, with a desk and an engine behind them.
#pragma once

#include <gmock/gmock.h>
#include <string>
#include <string_view>
#include <vector>

#include "browser.h"
#include "core/whip/endpoints.h"
#include "scene.h"

namespace runnel::whip {

using Fields = std::vector<http::Field>;

class Web {
 public:
  explicit Web(session::SceneOptions options = session::SceneOptions{}, Settings settings = {})
      : scene(std::move(options)), endpoints(scene.desk, std::move(settings)) {}

  Answer ask(std::string_view method, std::string_view target, const Fields& fields = {},
             std::string_view body = {}) {
    http::Request request;
    request.method = http::method_of(method);
    request.method_name = method;
    const std::size_t question = std::min(target.find('?'), target.size());
    request.path = target.substr(0, question);
    request.query = target.substr(std::min(question + 1, target.size()));
    for (const http::Field& field : fields) request.headers.add(field.name, field.value);
    request.body.assign(body.begin(), body.end());
    const session::Client client{*IpAddress::parse("192.0.2.10"), token};
    Answer answer = endpoints.handle(scene.moment, client, request);
    scene.settle();
    return answer;
  }
  http::Response post_sdp(std::string_view target, std::string_view sdp) {
    return ask("POST", target, {{"Content-Type", "application/sdp"}}, sdp).response;
  }
  http::Response patch(std::string_view target, std::string_view fragment, Fields fields = {}) {
    fields.push_back({"Content-Type", "application/trickle-ice-sdpfrag"});
    return ask("PATCH", target, fields, fragment).response;
  }

  session::Scene scene;
  Endpoints endpoints;
  std::string token;
};

inline std::string field(const http::Response& response, std::string_view name) {
  return std::string(response.headers.find(name).value_or(""));
}

}  // namespace runnel::whip

#include "core/whip/refusal.h"

#include <utility>

#include "core/http/problem.h"

namespace runnel::whip {
namespace {

using signalling::ErrorCode;

constexpr std::chrono::milliseconds kRetryByDefault{5'000};

std::uint16_t http_status(ErrorCode code) noexcept {
  const bool is_understood =
      code == ErrorCode::unsupported_codec || code == ErrorCode::unsupported_leg;
  return is_understood ? 422 : static_cast<std::uint16_t>(signalling::status_of(code));
}

}  // namespace

http::Response refusal(const signalling::Error& error) {
  http::Problem problem{.status = http_status(error.code),
                        .code = std::string(to_string(error.code)),
                        .detail = error.text,
                        .retry_after = error.retry.value_or(std::chrono::milliseconds(0))};
  const bool is_temporary = problem.status == 429 || problem.status == 503;
  if (is_temporary && !error.retry) problem.retry_after = kRetryByDefault;
  if (problem.status == 401) {
    return http::unauthorized(std::move(problem.code), std::move(problem.detail));
  }
  return to_response(problem);
}

http::Response refusal(std::uint16_t status, std::string code, std::string text) {
  return to_response(
      http::Problem{.status = status, .code = std::move(code), .detail = std::move(text)});
}

http::Response wrong_type(std::string field, std::string_view accepted) {
  http::Response response =
      refusal(415, "unsupported_media_type",
              "the Content-Type of this request must be " + std::string(accepted));
  response.headers.add(std::move(field), std::string(accepted));
  return response;
}

}  // namespace runnel::whip

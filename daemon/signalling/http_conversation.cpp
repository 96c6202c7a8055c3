#include "daemon/signalling/http_conversation.h"

#include <utility>

#include "core/http/response.h"

namespace runnel::daemon {

using Parser = http::RequestParser;

HttpConversation::HttpConversation(const HttpSettings& settings, Timestamp now)
    : settings_(settings), parser_(settings.limits), deadline_(now + settings.header_timeout) {}

HttpConversation::Step HttpConversation::advance(Timestamp now, ByteSpan& input,
                                                 std::string& output) {
  for (;;) {
    const Parser::Progress progress = parser_.feed(input);
    input = input.subspan(progress.consumed);
    switch (progress.step) {
      case Parser::Step::need_more:
        if (!std::exchange(has_begun_, parser_.in_request()) && has_begun_ && !is_first_) {
          deadline_ = now + settings_.header_timeout;
        }
        return Step::need_more;
      case Parser::Step::head:
        has_begun_ = true;
        deadline_ = now + settings_.idle_timeout;
        if (!parser_.accept_body(settings_.limits.body_size)) return Step::refused;
        if (parser_.request().expects_continue) output += http::kContinue;
        break;
      case Parser::Step::complete:
        return Step::request;
      case Parser::Step::failed:
        return Step::refused;
    }
  }
}

void HttpConversation::answered(Timestamp now) {
  parser_.next();
  is_first_ = false;
  has_begun_ = false;
  deadline_ = now + settings_.idle_timeout;
}

}  // namespace runnel::daemon

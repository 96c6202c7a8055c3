// A voice client may say anything: each line is a message, and time goes on by 20 ms after each.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/rtp/rtp_packet.h"
#include "core/voice/session.h"

namespace {

using namespace runnel;
using namespace runnel::voice;

void check(const Output& output) {
  for (const Packet& packet : output.packets) {
    const auto view = rtp::RtpPacketView::parse(packet.bytes());
    RUNNEL_CHECK(view.has_value());
    RUNNEL_CHECK(!view->payload().empty() && view->payload().size() <= kMaxPacketSamples);
  }
  for (const std::string& text : output.texts) {
    RUNNEL_CHECK(text.front() == '{' && text.back() == '}');
    RUNNEL_CHECK(std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' '; }));
  }
}

void converse(Role role, std::string_view texts) {
  Timestamp now = Timestamp{} + std::chrono::seconds(1);
  Options options;
  options.max_queue = std::chrono::milliseconds(100);
  options.max_marks = 3;
  Session session(role, options, now);
  Session other(role == Role::caller ? Role::agent : Role::caller, options, now);
  Output output;
  session.begin(output);
  while (!texts.empty()) {
    const std::size_t end = std::min(texts.find('\n'), texts.size());
    const auto outcome = session.receive(now, texts.substr(0, end), output);
    RUNNEL_CHECK(outcome.has_value() || !outcome.error().text.empty());
    if (!outcome) return check(output);
    texts.remove_prefix(std::min(end + 1, texts.size()));
    now += std::chrono::milliseconds(20);
    session.handle_timeout(now, output);
    RUNNEL_CHECK(!session.next_timeout() || *session.next_timeout() > now);
    Output heard;
    for (const Packet& packet : output.packets) other.deliver(now, packet.bytes(), 0, heard);
    for (const PeerEvent& event : output.peer_events) other.relay(event, heard);
    check(output);
    check(heard);
    output.clear();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view texts(reinterpret_cast<const char*>(data), size);
  converse(Role::caller, texts);
  converse(Role::agent, texts);
  return 0;
}

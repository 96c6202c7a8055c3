// How the browser of a test describes itself, checks, and takes what comes.
#include "browser.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace runnel::session {
namespace {

const dtls::Context& browser_context() {
  static const dtls::Context kContext = dtls::Context::self_signed().value();
  return kContext;
}

std::vector<std::string> lines_of(std::string_view sdp) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(sdp)};
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\r\n";
  return text;
}

}  // namespace

Browser::Browser(Scene& scene, std::string_view address)
    : peer(browser_context(), scene.random),
      scene_(scene),
      address_(SocketAddress::parse(address).value()) {
  scene_.hosts[address_] = this;
  peer.on_media = [this](srtp::PacketKind kind, ByteView packet) {
    if (kind == srtp::PacketKind::rtp) rtp_.emplace_back(packet.begin(), packet.end());
  };
}

Browser::~Browser() {
  scene_.hosts.erase(address_);
}

std::string Browser::offer(std::string_view name) const {
  const std::string path = std::string(RUNNEL_VECTORS_DIR) + "/sdp/" + std::string(name) + ".sdp";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return own(text.str());
}

std::string Browser::own(std::string_view sdp) const {
  const transport::RemoteDescription self = peer.description();
  std::vector<std::string> lines = lines_of(sdp);
  for (std::string& line : lines) {
    if (line.starts_with("a=ice-ufrag:")) line = "a=ice-ufrag:" + self.ice.ufrag;
    if (line.starts_with("a=ice-pwd:")) line = "a=ice-pwd:" + self.ice.password;
    if (line.starts_with("a=fingerprint:")) {
      line = "a=fingerprint:" + self.fingerprints.front().to_string();
    }
  }
  return joined(lines);
}

std::string Browser::answer(const std::string& offer) const {
  std::vector<std::string> lines;
  for (std::string line : lines_of(own(offer))) {
    if (line.starts_with("a=candidate:") || line.starts_with("a=end-of-candidates") ||
        line.starts_with("a=ssrc") || line.starts_with("a=msid:") || line == "a=ice-lite") {
      continue;
    }
    if (line == "a=setup:actpass") line = "a=setup:active";
    if (line == "a=sendonly") {
      line = "a=recvonly";
    } else if (line == "a=recvonly") {
      line = "a=sendonly";
    }
    lines.push_back(std::move(line));
  }
  return joined(lines);
}

void Browser::take_answer(const std::string& sdp) {
  test::RemoteSide remote;
  remote.ice = {.ufrag = attribute(sdp, "ice-ufrag"), .password = attribute(sdp, "ice-pwd")};
  remote.fingerprint = dtls::Fingerprint::parse(attribute(sdp, "fingerprint")).value();
  peer.connect(scene_.moment.now, remote);
  flush();
  for (int i = 0; i < 50 && !peer.is_connected(); ++i) scene_.advance(milliseconds(20));
}

void Browser::resume(const std::string& sdp) {
  peer.resume(scene_.moment.now,
              {.ufrag = attribute(sdp, "ice-ufrag"), .password = attribute(sdp, "ice-pwd")});
  flush();
  scene_.advance(milliseconds(200));
}

void Browser::send_rtp(const Bytes& packet) {
  if (!peer.send(srtp::PacketKind::rtp, packet)) throw std::runtime_error("there are no keys yet");
  flush();
}

void Browser::close() {
  peer.close();
  flush();
}

void Browser::vanish() {
  peer.vanish();
}

void Browser::receive(ByteSpan datagram) {
  peer.receive(scene_.moment.now, datagram);
  flush();
}

std::optional<Timestamp> Browser::next_timeout() const {
  return peer.next_timeout();
}

void Browser::handle_timeout() {
  const auto due = peer.next_timeout();
  if (!due || *due > scene_.moment.now) return;
  peer.handle_timeout(scene_.moment.now);
  flush();
}

void Browser::flush() {
  std::vector<Bytes> datagrams;
  while (const auto datagram = peer.next_datagram()) {
    datagrams.emplace_back(datagram->begin(), datagram->end());
  }
  for (Bytes& datagram : datagrams) scene_.receive_datagram(address_, std::move(datagram));
}

std::string attribute(std::string_view sdp, std::string_view name) {
  const std::string start = "a=" + std::string(name) + ":";
  for (const std::string& line : lines_of(sdp)) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return {};
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace runnel::session

#include "tests/bench/relay/setup.h"

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <openssl/evp.h>

namespace runnel::bench {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& line) {
  std::fprintf(stderr, "%s: not understood: '%s'\n", path.c_str(), line.c_str());
  std::exit(2);
}

bool parse_address(std::istream& in, sockaddr_in& out) {
  std::string ip;
  unsigned port = 0;
  if (!(in >> ip >> port) || port > 65535) return false;
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  return inet_pton(AF_INET, ip.c_str(), &out.sin_addr) == 1;
}

bool parse_key(std::istream& in, std::vector<std::uint8_t>& out) {
  std::string base64;
  if (!(in >> base64) || base64.size() % 4 != 0) return false;
  out.resize(base64.size() / 4 * 3);
  const auto* text = reinterpret_cast<const unsigned char*>(base64.data());
  if (EVP_DecodeBlock(out.data(), text, static_cast<int>(base64.size())) < 0) return false;
  out.resize(out.size() - (base64.ends_with("==") ? 2 : base64.ends_with("=") ? 1 : 0));
  return true;
}

bool parse_suite(std::istream& in, Suite& out) {
  std::string name;
  in >> name;
  if (name == "AES_CM_128_HMAC_SHA1_80") {
    out = Suite::aes_cm_128_hmac_sha1_80;
  } else if (name == "AEAD_AES_128_GCM") {
    out = Suite::aead_aes_128_gcm;
  } else {
    return false;
  }
  return true;
}

bool parse_line(std::istream& in, Setup& setup) {
  std::string word;
  in >> word;
  if (word == "suite") return parse_suite(in, setup.suite);
  if (word == "listen") return parse_address(in, setup.listen);
  if (word == "source") return parse_key(in, setup.source_key_and_salt);
  if (word != "receiver") return false;
  ReceiverSetup receiver;
  if (!parse_address(in, receiver.destination) || !parse_key(in, receiver.key_and_salt)) {
    return false;
  }
  setup.receivers.push_back(std::move(receiver));
  return true;
}

}  // namespace

Setup read_setup(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse(path, "(cannot be opened)");
  Setup setup;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    if (!parse_line(in, setup)) refuse(path, line.substr(0, 12));
  }
  if (setup.receivers.empty() || setup.source_key_and_salt.empty()) refuse(path, "(incomplete)");
  return setup;
}

}  // namespace runnel::bench

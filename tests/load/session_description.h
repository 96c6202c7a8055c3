// What a subscriber says about itself by SDP, and what it reads in the answer.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "core/base/address.h"
#include "core/dtls/fingerprint.h"
#include "core/ice/credentials.h"
#include "tests/peer/test_peer.h"

namespace runnel::load {

/// One audio and one video medium to be received, of all codecs that a browser knows.
[[nodiscard]] std::string write_offer(const ice::Credentials& ice,
                                      const dtls::Fingerprint& fingerprint);

struct AnsweringSide {
  test::RemoteSide remote;
  SocketAddress address;  // of its first candidate by UDP
};
/// An error is a sentence.
[[nodiscard]] std::expected<AnsweringSide, std::string> read_answer(std::string_view text);

}  // namespace runnel::load

// Why bytes are not an RTP or RTCP packet.
#pragma once

#include <cstdint>
#include <string_view>

namespace runnel::rtp {

enum class Error : std::uint8_t {
  truncated,      // ends before what its header promises
  wrong_version,  // not version 2
  bad_padding,    // a padding count of zero, or more padding than packet
  bad_extension,  // the header extension does not hold together
  bad_length,     // an RTCP length that contradicts the content
  bad_type,       // not a type that belongs here (such as RTCP in place of RTP)
};

[[nodiscard]] std::string_view to_string(Error error) noexcept;

}  // namespace runnel::rtp

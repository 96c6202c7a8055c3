// Why bytes are not a STUN message.
#pragma once

#include <cstdint>
#include <string_view>

namespace runnel::stun {

enum class Error : std::uint8_t {
  truncated,        // shorter than a header
  too_long,         // longer than kMaxMessageSize
  not_stun,         // first bits or magic cookie of something else
  bad_length,       // not as long as its header says, or no multiple of 4
  bad_attribute,    // an attribute runs over the end, or its size is none that its type allows
  bad_fingerprint,  // FINGERPRINT is wrong, or is not the last attribute
};

[[nodiscard]] std::string_view to_string(Error error) noexcept;

}  // namespace runnel::stun

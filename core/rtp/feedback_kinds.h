// Which RTCP feedback the two sides of a medium have agreed on.
#pragma once

namespace runnel::rtp {

/// As in a=rtcp-fb of the payload type that is used. PLI is asked of everybody, agreed or not,
/// where no other way to a key frame is.
struct FeedbackKinds {
  bool nack = false;            // "nack" (RFC 4585 §6.2.1)
  bool picture_loss = false;    // "nack pli" (RFC 4585 §6.3.1)
  bool intra_request = false;   // "ccm fir" (RFC 5104 §4.3.1)
  bool remb = false;            // "goog-remb" (draft-alvestrand-rmcat-remb-03)
  bool transport_wide = false;  // "transport-cc"

  friend bool operator==(const FeedbackKinds&, const FeedbackKinds&) = default;
};

}  // namespace runnel::rtp

#include "core/stun/attribute.h"

namespace runnel::stun {

bool is_known(AttributeType type) noexcept {
  switch (type) {
    case AttributeType::username:
    case AttributeType::message_integrity:
    case AttributeType::error_code:
    case AttributeType::unknown_attributes:
    case AttributeType::message_integrity_sha256:
    case AttributeType::xor_mapped_address:
    case AttributeType::priority:
    case AttributeType::use_candidate:
    case AttributeType::software:
    case AttributeType::fingerprint:
    case AttributeType::ice_controlled:
    case AttributeType::ice_controlling:
      return true;
  }
  return false;
}

std::string_view reason_phrase(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_request:
      return "Bad Request";
    case ErrorCode::unauthenticated:
      return "Unauthenticated";
    case ErrorCode::unknown_attribute:
      return "Unknown Attribute";
    case ErrorCode::role_conflict:
      return "Role Conflict";
    case ErrorCode::server_error:
      return "Server Error";
  }
  return {};
}

}  // namespace runnel::stun

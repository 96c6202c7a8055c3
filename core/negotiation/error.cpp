#include "core/negotiation/error.h"

namespace runnel::negotiation {

std::string Error::to_string() const {
  return line == 0 ? message : "line " + std::to_string(line) + ": " + message;
}

}  // namespace runnel::negotiation

// What a ServerContext's handles share. For .cpp files of this room only.
#pragma once

#include <string>
#include <vector>

#include "core/tls/openssl_handle.h"
#include "core/tls/server_context.h"

namespace runnel::tls {

struct ServerContext::Shared {
  SslContextPtr context;
  std::vector<std::string> warnings = {};
  std::string description = {};
};

}  // namespace runnel::tls

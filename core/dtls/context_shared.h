// What a Context's handles share. For .cpp files of this room only.
#pragma once

#include "core/dtls/certificate.h"
#include "core/dtls/context.h"

namespace runnel::dtls {

struct ContextShared {
  Certificate certificate;
  Fingerprint fingerprint;
  SslContextPtr context;
};

}  // namespace runnel::dtls

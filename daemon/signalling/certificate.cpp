#include "daemon/signalling/certificate.h"

#include <utility>

#include "daemon/pem_files.h"

namespace runnel::daemon {

std::expected<tls::ServerContext, config::Problem> load_certificate(
    const config::CertificateFiles& files, std::int64_t now) {
  const auto texts = PemFiles::read(files);
  if (!texts) return std::unexpected(texts.error());
  auto context = tls::ServerContext::create(texts->certificate(), texts->key(), now);
  if (context) return std::move(*context);
  return std::unexpected(config::Problem{files.certificate_origin, context.error(),
                                         "both files hold PEM, the key without a passphrase"});
}

}  // namespace runnel::daemon

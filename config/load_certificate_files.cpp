#include "config/load_certificate_files.h"

#include "config/secret_text.h"

namespace runnel::config {
namespace {

/// Whether the file can be read, which also warns of a key that others can read.
bool is_readable(const Value& value, bool is_secret, const Surroundings& surroundings) {
  if (is_secret) return load_secret_file(value, surroundings).has_value();
  Surroundings quiet = surroundings;
  quiet.open_to_others = nullptr;
  return load_secret_file(value, quiet).has_value();
}

std::string resolved(const Value& value, const Surroundings& surroundings) {
  const std::string path(value.text().value_or(""));
  return surroundings.resolve ? surroundings.resolve(path) : path;
}

}  // namespace

std::optional<CertificateFiles> load_certificate_files(const Mapping& map,
                                                       const Surroundings& surroundings) {
  const auto certificate =
      map.require("certificate", "add the file with the certificate and its chain, in PEM");
  const auto key = map.require("key", "add the file with the certificate's private key, in PEM");
  if (!certificate || !key) return std::nullopt;
  const bool certificate_is_there = is_readable(*certificate, false, surroundings);
  const bool key_is_there = is_readable(*key, true, surroundings);
  if (!certificate_is_there || !key_is_there) return std::nullopt;
  return CertificateFiles{resolved(*certificate, surroundings), resolved(*key, surroundings),
                          certificate->origin(), key->origin()};
}

}  // namespace runnel::config

// A certificate and its key, read from the files that the configuration names.
#pragma once

#include <expected>
#include <string>

#include "config/loader.h"

namespace runnel::daemon {

/// PEM, as it stands in the files. The key is wiped when it dies. Move-only.
class PemFiles {
 public:
  /// The problem names the file that is at fault, and no secret.
  [[nodiscard]] static std::expected<PemFiles, config::Problem> read(
      const config::CertificateFiles& files);

  PemFiles(PemFiles&& other) noexcept;
  PemFiles& operator=(PemFiles&&) = delete;
  ~PemFiles();

  [[nodiscard]] const std::string& certificate() const noexcept { return certificate_; }
  [[nodiscard]] const std::string& key() const noexcept { return key_; }

 private:
  PemFiles() = default;

  std::string certificate_;
  std::string key_;
};

}  // namespace runnel::daemon

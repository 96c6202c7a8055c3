#include "daemon/signalling/certificate.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <utility>

#include "core/base/secret.h"
#include "daemon/file_descriptor.h"

namespace runnel::daemon {
namespace {

constexpr std::size_t kMaxFileSize = 1024 * 1024;

/// A file's text, wiped when it is no longer needed.
class SecretText {
 public:
  SecretText() = default;
  SecretText(const SecretText&) = delete;
  SecretText& operator=(const SecretText&) = delete;
  ~SecretText() { wipe(text_.data(), text_.size()); }

  /// The error is a few words.
  std::expected<void, std::string> read(const std::string& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) return std::unexpected(std::strerror(errno));
    text_.resize(kMaxFileSize);
    std::size_t size = 0;
    for (;;) {
      const ssize_t got = ::read(file.get(), text_.data() + size, text_.size() - size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return std::unexpected(std::strerror(errno));
      if (got == 0) break;
      size += static_cast<std::size_t>(got);
      if (size == text_.size()) return std::unexpected("it is longer than 1 MiB");
    }
    text_.resize(size);
    return {};
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

config::Problem unreadable(const config::Origin& origin, const std::string& path,
                           const std::string& why) {
  return {origin, "cannot read " + path + ": " + why,
          "name a PEM file that the user of runneld may read"};
}

}  // namespace

std::expected<tls::ServerContext, config::Problem> load_certificate(
    const config::CertificateFiles& files, std::int64_t now) {
  SecretText certificate;
  if (const auto read = certificate.read(files.certificate); !read) {
    return std::unexpected(unreadable(files.certificate_origin, files.certificate, read.error()));
  }
  SecretText key;
  if (const auto read = key.read(files.key); !read) {
    return std::unexpected(unreadable(files.key_origin, files.key, read.error()));
  }
  auto context = tls::ServerContext::create(certificate.text(), key.text(), now);
  if (context) return std::move(*context);
  return std::unexpected(config::Problem{files.certificate_origin, context.error(),
                                         "both files hold PEM, the key without a passphrase"});
}

}  // namespace runnel::daemon

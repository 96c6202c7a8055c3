#include "daemon/pem_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <utility>

#include "core/base/secret.h"
#include "daemon/file_descriptor.h"

namespace runnel::daemon {
namespace {

constexpr std::size_t kMaxFileSize = 1024 * 1024;

// All that is allocated: a short text may have been a longer one.
void forget(std::string& text) noexcept {
  text.resize(text.capacity());
  wipe(text.data(), text.size());
  text.clear();
}

// Into memory that is allocated once, so that nothing of it stays behind. The error is a few words.
std::expected<void, std::string> read_into(std::string& text, const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::unexpected(std::strerror(errno));
  text.resize(kMaxFileSize);
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(std::strerror(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == text.size()) return std::unexpected("it is longer than 1 MiB");
  }
  text.resize(size);
  return {};
}

config::Problem unreadable(const config::Origin& origin, const std::string& path,
                           const std::string& why) {
  return {origin, "cannot read " + path + ": " + why,
          "name a PEM file that the user of runneld may read"};
}

}  // namespace

std::expected<PemFiles, config::Problem> PemFiles::read(const config::CertificateFiles& files) {
  PemFiles texts;
  if (const auto read = read_into(texts.certificate_, files.certificate); !read) {
    return std::unexpected(unreadable(files.certificate_origin, files.certificate, read.error()));
  }
  if (const auto read = read_into(texts.key_, files.key); !read) {
    return std::unexpected(unreadable(files.key_origin, files.key, read.error()));
  }
  return texts;
}

PemFiles::PemFiles(PemFiles&& other) noexcept
    : certificate_(std::move(other.certificate_)), key_(other.key_) {
  forget(other.key_);
}

PemFiles::~PemFiles() {
  forget(key_);
}

}  // namespace runnel::daemon

// A BIO over two queues.
#include "core/tls/queue_bio.h"

#include <algorithm>
#include <memory>
#include <new>

#include <openssl/bio.h>

namespace runnel::tls {
namespace {

struct Queues {
  ByteQueue& incoming;
  ByteQueue& outgoing;
};

Queues& queues_of(BIO* bio) noexcept {
  return *static_cast<Queues*>(BIO_get_data(bio));
}

int read_bytes(BIO* bio, char* out, std::size_t size, std::size_t* count) noexcept {
  ByteQueue& incoming = queues_of(bio).incoming;
  BIO_clear_retry_flags(bio);
  if (incoming.empty()) {
    BIO_set_retry_read(bio);
    return 0;
  }
  *count = std::min(size, incoming.size());
  copy_bytes({reinterpret_cast<std::uint8_t*>(out), *count}, incoming.view().first(*count));
  incoming.take(*count);
  return 1;
}

int write_bytes(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) noexcept {
  BIO_clear_retry_flags(bio);
  try {
    queues_of(bio).outgoing.append({reinterpret_cast<const std::uint8_t*>(bytes), size});
  } catch (const std::bad_alloc&) {
    return 0;
  }
  *count = size;
  return 1;
}

long control(BIO*, int command, long, void*) noexcept {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int destroy(BIO* bio) noexcept {
  delete static_cast<Queues*>(BIO_get_data(bio));
  return 1;
}

using MethodPtr = std::unique_ptr<BIO_METHOD, Releaser<BIO_meth_free>>;

MethodPtr make_method() {
  MethodPtr method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "byte queues"));
  if (method == nullptr) return nullptr;
  BIO_meth_set_read_ex(method.get(), read_bytes);
  BIO_meth_set_write_ex(method.get(), write_bytes);
  BIO_meth_set_ctrl(method.get(), control);
  BIO_meth_set_destroy(method.get(), destroy);
  return method;
}

}  // namespace

BioPtr make_queue_bio(ByteQueue& incoming, ByteQueue& outgoing) {
  static const MethodPtr method = make_method();
  BioPtr bio(method != nullptr ? BIO_new(method.get()) : nullptr);
  if (bio == nullptr) return nullptr;
  BIO_set_data(bio.get(), new Queues{incoming, outgoing});
  BIO_set_init(bio.get(), 1);
  return bio;
}

}  // namespace runnel::tls

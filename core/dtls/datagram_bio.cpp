// A BIO with datagrams.
#include "core/dtls/datagram_bio.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <openssl/bio.h>

namespace runnel::dtls {
namespace {

DatagramPort& port_of(BIO* bio) noexcept {
  return *static_cast<DatagramPort*>(BIO_get_data(bio));
}

/// What does not fit is cut, as recv() does.
int read_datagram(BIO* bio, char* out, std::size_t size, std::size_t* count) noexcept {
  BIO_clear_retry_flags(bio);
  const ByteView datagram = std::exchange(port_of(bio).incoming, {});
  if (datagram.empty()) {
    BIO_set_retry_read(bio);
    return 0;
  }
  *count = std::min(size, datagram.size());
  copy_bytes({reinterpret_cast<std::uint8_t*>(out), *count}, datagram.first(*count));
  return 1;
}

/// Never refuses: what there is no room for is lost, as on a network.
int write_datagram(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) noexcept {
  BIO_clear_retry_flags(bio);
  port_of(bio).outgoing.write({reinterpret_cast<const std::uint8_t*>(bytes), size});
  *count = size;
  return 1;
}

long control(BIO*, int command, long, void*) noexcept {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BioMethodPtr make_method() {
  BioMethodPtr method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "datagrams"));
  if (method == nullptr) return nullptr;
  BIO_meth_set_read_ex(method.get(), read_datagram);
  BIO_meth_set_write_ex(method.get(), write_datagram);
  BIO_meth_set_ctrl(method.get(), control);
  return method;
}

/// For how long OpenSSL's timer runs, in microseconds. It asks with 0 when a flight begins, and
/// with what it was told last when the timer has run out, just before it sends the flight again. It
/// looks at its timer before each read, so it does all that at once until it is told to wait.
unsigned timer_duration(SSL* ssl, unsigned previous) noexcept {
  constexpr unsigned kAtOnce = 1;
  constexpr unsigned kNever = std::numeric_limits<unsigned>::max();  // over an hour
  FlightQueue& flights = port_of(SSL_get_rbio(ssl)).outgoing;
  const bool once_more = previous == 0 ? flights.begin_flight() : flights.begin_retransmission();
  return once_more ? kAtOnce : kNever;
}

}  // namespace

bool attach(SSL* ssl, DatagramPort& port) {
  static const BioMethodPtr method = make_method();
  BioPtr bio(method != nullptr ? BIO_new(method.get()) : nullptr);
  if (bio == nullptr) return false;
  BIO_set_data(bio.get(), &port);
  BIO_set_init(bio.get(), 1);
  BIO* both_ways = bio.release();
  SSL_set_bio(ssl, both_ways, both_ways);
  SSL_set_mtu(ssl, static_cast<long>(kMtu));
  DTLS_set_timer_cb(ssl, timer_duration);
  return true;
}

}  // namespace runnel::dtls

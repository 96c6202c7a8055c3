// Takes the headers of DTLS records apart.
//
//   DTLSPlaintext, DTLSCiphertext (RFC 6347 §4.1)
//    0                   1                   2                   3
//   +-------+-----------+-----------+------------------------------+----------+----------
//   | type  | version   | epoch     | sequence number              | length   | fragment
//   | 1     | 2         | 2         | 6                            | 2        |
//   +-------+-----------+-----------+------------------------------+----------+----------
#include "core/dtls/record_filter.h"

#include <openssl/ssl.h>

#include "core/dtls/association.h"

namespace runnel::dtls {
namespace {

constexpr std::size_t kHeaderSize = 13;
constexpr std::uint8_t kChangeCipherSpec = 20;
constexpr std::uint8_t kAlert = 21;
constexpr std::uint8_t kHandshake = 22;
constexpr std::uint8_t kMajorVersion = 0xfe;

struct Record {
  std::uint8_t type;
  std::uint16_t epoch;
  std::size_t size;  // with its header
};

/// Of which there is at least a header.
Record record_at(ByteView bytes) noexcept {
  return {
      .type = bytes[0], .epoch = load_be16(&bytes[3]), .size = kHeaderSize + load_be16(&bytes[11])};
}

bool is_known_plaintext(const Record& record) noexcept {
  constexpr std::size_t kAlertSize = 2;
  switch (record.type) {
    case kChangeCipherSpec:
    case kHandshake:
      return record.size > kHeaderSize;
    case kAlert:
      return record.size == kHeaderSize + kAlertSize;
    default:
      return false;
  }
}

/// RFC 9147 §4: the first bits are 001. Its length may be missing, so it ends what can be seen.
bool has_unified_header([[maybe_unused]] ByteView bytes) noexcept {
#ifdef DTLS1_3_VERSION
  return (bytes[0] & 0xe0) == 0x20;
#else
  return false;
#endif
}

}  // namespace

bool RecordFilter::admit_encrypted(Phase phase, bool may_be_handshake) noexcept {
  if (phase == Phase::connected) return true;
  if (!may_be_handshake || early_records_ == kMaxEarlyRecords) return false;
  ++early_records_;
  return true;
}

std::size_t RecordFilter::admit(ByteView datagram, Phase phase) noexcept {
  if (datagram.size() > kMaxDatagramSize) return 0;
  std::size_t admitted = 0;
  while (admitted < datagram.size()) {
    const ByteView rest = datagram.subspan(admitted);
    if (has_unified_header(rest)) {
      return admit_encrypted(phase, true) ? datagram.size() : admitted;
    }
    if (rest.size() < kHeaderSize || rest[1] != kMajorVersion) break;
    const Record record = record_at(rest);
    if (record.size > rest.size()) break;
    const bool is_welcome = record.epoch == 0 ? is_known_plaintext(record)
                                              : admit_encrypted(phase, record.type == kHandshake);
    if (!is_welcome) break;
    admitted += record.size;
  }
  return admitted;
}

}  // namespace runnel::dtls

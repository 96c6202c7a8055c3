// SRTP: what does not come from the holder of the key is never taken for authentic, changes no
// state, and harms neither of the genuine packets it arrives between.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"

namespace {

using namespace runnel;
using namespace runnel::srtp;

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kSsrc = 0x1122'3344;
constexpr std::size_t kClearSize = 60;

/// The first byte of the input:  | - | flipped | MKI | RTCP | profile (mod 6) |
struct Choice {
  explicit Choice(std::uint8_t byte)
      : profile(kProfiles[(byte & 7) % kProfiles.size()]),
        kind((byte & 8) == 0 ? PacketKind::rtp : PacketKind::rtcp),
        has_mki((byte & 16) != 0),
        is_flipped((byte & 32) != 0) {}

  Profile profile;
  PacketKind kind;
  bool has_mki;
  bool is_flipped;  // the rest says which bytes of a genuine packet to change, else it is a packet
};

MasterKey make_key(const Choice& choice) {
  const ProfileParameters& sizes = parameters(choice.profile);
  Bytes material(sizes.key_size + sizes.salt_size, 0x3c);
  const std::array<std::uint8_t, 2> mki{1, 2};
  return MasterKey::create(choice.profile, material, ByteView(mki).first(choice.has_mki ? 2 : 0))
      .value();
}

Bytes genuine(Sender& sender, PacketKind kind, std::uint16_t sequence_number) {
  Bytes packet(kClearSize + sender.overhead(kind), 0x5a);
  packet[0] = 0x80;
  store_be16(packet.data() + 2, sequence_number);
  store_be32(packet.data() + (kind == PacketKind::rtp ? 8 : 4), kSsrc);
  RUNNEL_CHECK(sender.protect_in_place(kind, packet, kClearSize) == packet.size());
  return packet;
}

/// Pairs of place and change.
void flip(Bytes& packet, ByteView changes) {
  for (; changes.size() >= 2; changes = changes.subspan(2)) {
    packet[changes[0] % packet.size()] ^= changes[1];
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Choice choice(data[0]);
  const ByteView rest(data + 1, size - 1);
  const MasterKey key = make_key(choice);
  Sender sender(key);
  Receiver receiver(key, {.replay_window = 64, .max_ssrcs = 2});

  Bytes before = genuine(sender, choice.kind, 65535);
  const Bytes between = genuine(sender, choice.kind, 0);
  Bytes after = genuine(sender, choice.kind, 1);
  Bytes duplicate = before;
  Bytes hostile = choice.is_flipped ? between : Bytes(rest.begin(), rest.end());
  if (choice.is_flipped) flip(hostile, rest);
  const bool is_forged = hostile != between;
  Bytes hostile_on_first_contact = hostile;

  // Before the receiver knows the SSRC, and among packets it knows.
  if (is_forged) {
    RUNNEL_CHECK(!receiver.unprotect_in_place(choice.kind, hostile_on_first_contact));
    RUNNEL_CHECK(receiver.ssrc_count() == 0);
  }
  std::array<UnprotectJob, 4> jobs;
  const std::array<Bytes*, 4> packets{&before, &hostile, &after, &duplicate};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i] = {.receiver = &receiver, .kind = choice.kind, .packet = *packets[i]};
  }
  unprotect(jobs);
  RUNNEL_CHECK(jobs[0].result == kClearSize);
  RUNNEL_CHECK(jobs[1].result.has_value() == !is_forged);
  RUNNEL_CHECK(jobs[2].result == kClearSize);
  RUNNEL_CHECK(jobs[3].result == std::unexpected(Error::replayed));
  RUNNEL_CHECK(receiver.ssrc_count() == 1);
  return 0;
}

// One key and one SSRC make one keystream: it must not encrypt two streams.
#include <algorithm>
#include <tuple>

#include "config/check_relays.h"

namespace runnel::config {
namespace {

/// A pinned SSRC and one of the keys that it is sent under.
struct PinnedSender {
  std::uint32_t ssrc = 0;
  const srtp::MasterKey* key = nullptr;
  bool is_output = false;
  const Origin* origin = nullptr;
};

bool less(ByteView a, ByteView b) noexcept {
  return std::ranges::lexicographical_compare(a, b);
}

bool in_order(const PinnedSender& a, const PinnedSender& b) noexcept {
  if (a.ssrc != b.ssrc) return a.ssrc < b.ssrc;
  if (less(a.key->key(), b.key->key())) return true;
  if (less(b.key->key(), a.key->key())) return false;
  if (less(a.key->salt(), b.key->salt())) return true;
  if (less(b.key->salt(), a.key->salt())) return false;
  return std::tie(a.is_output, a.origin->line) < std::tie(b.is_output, b.origin->line);
}

std::string hex(std::uint32_t ssrc) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text.push_back(kDigits[(ssrc >> shift) & 15]);
  return text;
}

Origin ssrc_origin(const Origin& medium) {
  Origin origin = medium;
  origin.key += ".ssrc";
  return origin;
}

std::vector<PinnedSender> pinned_senders(const Config& config) {
  std::vector<PinnedSender> senders;
  for (const Relay& relay : config.relays) {
    for (const SourceMedium& medium : relay.from.media) {
      if (!relay.from.srtp || !medium.ssrc) continue;
      for (const srtp::MasterKey& key : relay.from.srtp->keys) {
        senders.push_back({*medium.ssrc, &key, false, &medium.origin});
      }
    }
    for (const ReceiverLeg& leg : relay.to) {
      for (const ReceiverMedium& medium : leg.media) {
        if (!leg.srtp || !medium.ssrc) continue;
        senders.push_back({*medium.ssrc, &leg.srtp->keys.front(), true, &medium.origin});
      }
    }
  }
  return senders;
}

}  // namespace

void check_keystreams(const Config& config, ProblemList& problems) {
  std::vector<PinnedSender> senders = pinned_senders(config);
  for (const PinnedSender& sender : senders) {
    if (!sender.is_output) continue;
    problems.warn(ssrc_origin(*sender.origin),
                  "a pinned SSRC under a configured key: after each restart other packets are "
                  "encrypted with the same keystream, and who records both can undo the encryption",
                  "leave 'ssrc' out to get a random one at each start, or change the key whenever "
                  "runneld restarts");
  }
  std::sort(senders.begin(), senders.end(), in_order);
  for (std::size_t i = 1; i < senders.size(); ++i) {
    const PinnedSender& before = senders[i - 1];
    const PinnedSender& sender = senders[i];
    if (!sender.is_output || sender.ssrc != before.ssrc || !sender.key->same_key(*before.key)) {
      continue;
    }
    problems.error(ssrc_origin(*sender.origin),
                   "the same key with the same SSRC " + hex(sender.ssrc) + " as the " +
                       (before.is_output ? "output" : "source") + " in line " +
                       std::to_string(before.origin->line) +
                       ": one keystream would encrypt both, which gives both away",
                   "leave 'ssrc' out, or use another key");
  }
}

}  // namespace runnel::config

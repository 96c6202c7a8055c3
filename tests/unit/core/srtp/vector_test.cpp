// The shared test vectors: key derivation, keystream, packets, sequences of packets, bad packets.
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_gcm.h"
#include "core/srtp/initialization_vector.h"
#include "core/srtp/key_derivation.h"
#include "core/srtp/packet_index.h"
#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

using Json = nlohmann::json;

const Json& document() {
  static const Json json = Json::parse(std::ifstream(RUNNEL_VECTORS_DIR "/srtp_vectors.json"));
  return json;
}

std::vector<Json> vectors_of(std::string_view type) {
  std::vector<Json> found;
  for (const Json& vector : document()["vectors"]) {
    if (vector["type"] == type) found.push_back(vector);
  }
  EXPECT_FALSE(found.empty()) << type;
  return found;
}

Bytes hex(const Json& vector, const char* key) {
  return from_hex(vector.at(key).get<std::string>());
}

Bytes concatenate(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

MasterKey master_key(const Json& vector) {
  const Profile profile = profile_from_name(vector.at("profile").get<std::string>()).value();
  const Bytes mki = vector.contains("mki") ? hex(vector, "mki") : Bytes{};
  return MasterKey::create(profile, concatenate(hex(vector, "key"), hex(vector, "salt")), mki)
      .value();
}

bool has_session_key(const Json& vector) {
  return vector.value("key_kind", "") == "session";
}

SessionSalt padded_salt(Bytes salt) {
  salt.resize(kSessionSaltSize);
  return SessionSalt(salt);
}

// Whoever takes vectors out or adds some says here how many, and why.
TEST(Vectors, EachIsReadOrLeftOutForAReason) {
  std::map<std::string, int> counts;
  for (const Json& vector : document()["vectors"]) ++counts[vector["type"]];
  EXPECT_EQ(counts, (std::map<std::string, int>{{"aes_cm_keystream", 5},
                                                {"aes_ctr_raw", 1},
                                                {"kdf", 30},
                                                {"roc_guess", 25},
                                                {"srtcp", 120},
                                                {"srtcp_negative", 274},
                                                {"srtcp_sequence", 4},
                                                {"srtp", 185},
                                                {"srtp_negative", 451},
                                                {"srtp_sequence", 39}}));
  EXPECT_EQ(document()["left_out"],
            (Json{{"AES-192 is not offered", 41},
                  {"cipher f8 is not offered", 1},
                  {"profiles without encryption are not offered", 46},
                  {"encrypted header extensions (RFC 6904) are not offered", 14},
                  {"cryptex (RFC 9335) is not offered", 24},
                  {"unencrypted SRTP is not offered", 11},
                  {"the key block of DTLS-SRTP is split by the DTLS room", 4},
                  {"MKIs of more than 32 bytes are refused", 6}}));
}

// RFC 3711 B.3, RFC 6188 7.3 and others with every label; a 16-byte key with a 14-byte salt belongs
// to AES_CM_128, and so on.
TEST(Vectors, KeyDerivation) {
  for (const Json& vector : vectors_of("kdf")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const Bytes key = hex(vector, "master_key");
    const Bytes salt = hex(vector, "master_salt");
    const Profile profile =
        salt.size() == 14
            ? (key.size() == 16 ? Profile::aes_cm_128_hmac_sha1_80
                                : Profile::aes_256_cm_hmac_sha1_80)
            : (key.size() == 16 ? Profile::aead_aes_128_gcm : Profile::aead_aes_256_gcm);
    const MasterKey master = MasterKey::create(profile, concatenate(key, salt)).value();
    Bytes output(hex(vector, "output").size());
    derive_key(master, static_cast<KeyLabel>(vector["label"].get<int>()), output);
    EXPECT_EQ(output, hex(vector, "output"));
  }
}

// RFC 3711 B.2, RFC 6188 7.1.
TEST(Vectors, CounterModeKeystream) {
  for (const Json& vector : vectors_of("aes_cm_keystream")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const Bytes session_key = hex(vector, "session_key");
    if (session_key.size() == 24) continue;  // AES-192 is not offered
    const crypto::CounterBlock counter =
        counter_block(padded_salt(hex(vector, "session_salt")), vector["ssrc"], vector["index"]);
    EXPECT_EQ(Bytes(counter.begin(), counter.end()), hex(vector, "first_iv"));
    Bytes keystream(hex(vector, "keystream").size());
    crypto::AesCtr(session_key).apply(counter, keystream, keystream.data());
    EXPECT_EQ(keystream, hex(vector, "keystream"));
  }
}

TEST(Vectors, RtpPacketsAreProtectedAndUnprotected) {
  std::size_t wrong_versions = 0;
  for (const Json& vector : vectors_of("srtp")) {
    if (has_session_key(vector)) continue;  // see below
    SCOPED_TRACE(vector["id"].get<std::string>());
    const MasterKey key = master_key(vector);
    const std::uint32_t rollover_counter = vector["roc"];
    const Bytes clear = hex(vector, "plaintext");
    const Bytes expected = hex(vector, "protected");
    Sender sender(key, {.initial_rollover_counter = rollover_counter});
    Receiver receiver(key, {.initial_rollover_counter = rollover_counter});
    if (clear[0] >> 6 != 2) {  // made for a library that does not look at the version
      ++wrong_versions;
      EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, expected).error(), Error::malformed);
      continue;
    }
    EXPECT_EQ(protect_copy(sender, PacketKind::rtp, clear), expected);
    EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, expected), clear);
  }
  EXPECT_EQ(wrong_versions, 10U);
}

TEST(Vectors, RtcpPacketsAreProtectedAndUnprotected) {
  for (const Json& vector : vectors_of("srtcp")) {
    if (has_session_key(vector)) continue;  // see below
    SCOPED_TRACE(vector["id"].get<std::string>());
    const MasterKey key = master_key(vector);
    const Bytes clear = hex(vector, "plaintext");
    const Bytes expected = hex(vector, "protected");
    Sender sender(key, {.initial_srtcp_index = vector["srtcp_index"]});
    Receiver receiver(key);
    // We always encrypt; what others only authenticate is accepted.
    if (vector.value("payload_encrypted", true)) {
      EXPECT_EQ(protect_copy(sender, PacketKind::rtcp, clear), expected);
    }
    EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtcp, expected), clear);
  }
}

// RFC 7714 16.1.1 to 16.2.3 and 17.1 to 17.4 start from session keys, which no key exchange gives;
// so the parts are put together here as a packet puts them together.
TEST(Vectors, Rfc7714SessionKeys) {
  std::size_t count = 0;
  for (const Json& vector : document()["vectors"]) {
    if (!has_session_key(vector)) continue;
    SCOPED_TRACE(vector["id"].get<std::string>());
    ++count;
    const bool is_rtp = vector["type"] == "srtp";
    const bool is_encrypted = vector.value("payload_encrypted", true);
    const Bytes clear = hex(vector, "plaintext");
    const std::uint32_t ssrc = load_be32(clear.data() + (is_rtp ? 8 : 4));
    const std::uint64_t index = is_rtp ? packet_index(vector["roc"], load_be16(clear.data() + 2))
                                       : vector["srtcp_index"].get<std::uint64_t>();
    Bytes word(4);
    store_be32(word.data(), static_cast<std::uint32_t>(index) | (is_encrypted ? 1U << 31 : 0));

    const std::size_t header_size = is_encrypted ? (is_rtp ? 12 : 8) : clear.size();
    const auto header_end = clear.begin() + static_cast<std::ptrdiff_t>(header_size);
    Bytes associated_data(clear.begin(), header_end);
    if (!is_rtp) associated_data = concatenate(associated_data, word);
    Bytes text(header_end, clear.end());
    Bytes tag(crypto::kGcmTagSize);
    crypto::AesGcm key(hex(vector, "key"));
    crypto::gcm_seal(
        std::array{crypto::GcmSealJob{.key = &key,
                                      .iv = gcm_iv(padded_salt(hex(vector, "salt")), ssrc, index),
                                      .associated_data = associated_data,
                                      .plaintext = text,
                                      .ciphertext = text.data(),
                                      .tag = tag.data()}});
    Bytes packet = concatenate(concatenate(Bytes(clear.begin(), header_end), text), tag);
    if (!is_rtp) packet = concatenate(packet, word);
    EXPECT_EQ(packet, hex(vector, "protected"));
  }
  EXPECT_EQ(count, 8U);
}

// RFC 3711 Appendix A. The appendix counts modulo 2^32; where that wraps there is no such packet.
TEST(Vectors, Rfc3711AppendixAIndexEstimation) {
  for (const Json& vector : vectors_of("roc_guess")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const std::uint32_t rollovers = vector["roc"];
    const std::uint32_t expected = vector["expected_roc"];
    const std::uint16_t sequence_number = vector["seq"];
    const auto index =
        estimate_packet_index(packet_index(rollovers, vector["s_l"]), sequence_number);
    if (rollovers == 0 && expected == 0xffff'ffff) {
      EXPECT_EQ(index.error(), Error::too_old);
    } else if (rollovers == 0xffff'ffff && expected == 0) {
      EXPECT_EQ(index.error(), Error::key_expired);
    } else {
      EXPECT_EQ(index, packet_index(expected, sequence_number));
    }
  }
}

void expect_steps(Receiver& receiver, PacketKind kind, const Json& vector) {
  std::size_t number = 0;
  for (const Json& step : vector["steps"]) {
    SCOPED_TRACE(number++);
    const auto result = unprotect_copy(receiver, kind, hex(step, "packet"));
    EXPECT_EQ(result.has_value(), step["expect"] == "accept");
    if (!result) continue;
    EXPECT_EQ(*result, hex(step.contains("plaintext") ? step : vector, "plaintext"));
  }
}

TEST(Vectors, SequencesOfRtpPackets) {
  for (const Json& vector : vectors_of("srtp_sequence")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    Receiver receiver(master_key(vector),
                      {.replay_window = vector["window"],
                       .initial_rollover_counter = vector["receiver_start_roc"]});
    expect_steps(receiver, PacketKind::rtp, vector);
  }
}

TEST(Vectors, SequencesOfRtcpPackets) {
  for (const Json& vector : vectors_of("srtcp_sequence")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    Receiver receiver(master_key(vector), {.replay_window = vector["window"]});
    expect_steps(receiver, PacketKind::rtcp, vector);
  }
}

TEST(Vectors, BadRtpPacketsAreRefusedAndLeaveNoContext) {
  std::size_t neighbouring_rollover_counters = 0;
  for (const Json& vector : vectors_of("srtp_negative")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    Receiver receiver(master_key(vector));
    const bool is_accepted =
        unprotect_copy(receiver, PacketKind::rtp, hex(vector, "packet")).has_value();
    // The vectors have a receiver in mind that tries one rollover counter alone; the first packet
    // of an SSRC is tried under the neighbouring ones here.
    const bool is_neighbour = vector["reason"] == "protected at ROC 1, receiver at ROC 0";
    if (is_neighbour) ++neighbouring_rollover_counters;
    EXPECT_EQ(is_accepted, is_neighbour);
    EXPECT_EQ(receiver.ssrc_count(), is_neighbour ? 1U : 0U);
  }
  EXPECT_EQ(neighbouring_rollover_counters, 4U);
}

TEST(Vectors, BadRtcpPacketsAreRefusedAndLeaveNoContext) {
  for (const Json& vector : vectors_of("srtcp_negative")) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    Receiver receiver(master_key(vector));
    EXPECT_FALSE(unprotect_copy(receiver, PacketKind::rtcp, hex(vector, "packet")).has_value());
    EXPECT_EQ(receiver.ssrc_count(), 0U);
  }
}

}  // namespace
}  // namespace runnel::srtp::test

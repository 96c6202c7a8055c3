// The tables of PROTOCOL.md and the lists of the schema are complete.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/signalling/codec.h"
#include "tests/unit/core/signalling/protocol_document.h"

namespace runnel::signalling {
namespace {

using nlohmann::json;

std::vector<ErrorCode> all_codes() {
  std::vector<ErrorCode> codes;
  for (int i = 0; i < static_cast<int>(ErrorCode::count_); ++i) {
    codes.push_back(static_cast<ErrorCode>(i));
  }
  return codes;
}

TEST(Document, ListsEveryErrorCodeWithItsStatus) {
  const std::string document = protocol_document();
  for (const ErrorCode code : all_codes()) {
    const std::string row =
        "\n| `" + std::string(to_string(code)) + "` | " + std::to_string(status_of(code)) + " | ";
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

TEST(Document, ListsTheLimits) {
  const std::string document = protocol_document();
  EXPECT_NE(document.find("| objects and arrays inside of one another | " +
                          std::to_string(kMaxDepth) + " |"),
            std::string::npos);
  EXPECT_NE(document.find("| length of a session description | " + std::to_string(kMaxSdpLength) +
                          " bytes |"),
            std::string::npos);
  EXPECT_NE(document.find("| tracks in one request | " + std::to_string(kMaxTracks) + " |"),
            std::string::npos);
}

TEST(Schema, IsTheFileAndListsEveryErrorCode) {
  const json schema = json::parse(runnel::signalling::schema());
  std::vector<std::string> names;
  for (const ErrorCode code : all_codes()) names.emplace_back(to_string(code));
  EXPECT_EQ(schema["$defs"]["error_code"]["enum"], json(names));
  EXPECT_NE(schema.find("$id"), schema.end());
}

TEST(Schema, ListsEveryReasonAndState) {
  const json schema = json::parse(runnel::signalling::schema());
  std::set<std::string> written;
  for (int i = 0; i <= static_cast<int>(LegEndReason::shutting_down); ++i) {
    const LegEnded event{1, static_cast<LegEndReason>(i)};
    written.insert(json::parse(encode(event))["reason"].get<std::string>());
  }
  EXPECT_EQ(json(written), json(schema["$defs"]["leg_ended_event"]["properties"]["reason"]["enum"]
                                    .get<std::set<std::string>>()));
  const std::string document = protocol_document();
  for (const std::string& reason : written) {
    EXPECT_NE(document.find("`" + reason + "`"), std::string::npos) << reason;
  }
}

TEST(Schema, ListsEveryStateOfAPeer) {
  const json schema = json::parse(runnel::signalling::schema());
  const std::string document = protocol_document();
  std::set<std::string> states;
  std::set<std::string> reasons;
  for (int i = 0; i <= static_cast<int>(PeerState::What::ended); ++i) {
    const PeerState event{1, static_cast<PeerState::What>(i), std::nullopt};
    states.insert(json::parse(encode(event))["state"].get<std::string>());
  }
  for (int i = 0; i <= static_cast<int>(PeerEndReason::no_legs); ++i) {
    reasons.emplace(to_string(static_cast<PeerEndReason>(i)));
  }
  const json& properties = schema["$defs"]["peer_state_event"]["properties"];
  EXPECT_EQ(json(states), json(properties["state"]["enum"].get<std::set<std::string>>()));
  EXPECT_EQ(json(reasons), json(properties["reason"]["enum"].get<std::set<std::string>>()));
  for (const auto& names : {states, reasons}) {
    for (const std::string& name : names) {
      EXPECT_NE(document.find("`" + name + "`"), std::string::npos) << name;
    }
  }
}

TEST(Schema, ListsEverySuite) {
  const json schema = json::parse(runnel::signalling::schema());
  std::set<std::string> suites;
  for (const srtp::Profile profile : srtp::kProfiles) suites.emplace(srtp::to_string(profile));
  EXPECT_EQ(schema["$defs"]["suite"]["enum"].get<std::set<std::string>>(), suites);
}

}  // namespace
}  // namespace runnel::signalling

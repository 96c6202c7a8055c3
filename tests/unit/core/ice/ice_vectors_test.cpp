// What a lite agent does with known checks, honest and not, of tests/vectors/stun_vectors.json.
#include <gtest/gtest.h>

#include "tests/unit/core/ice/full_agent.h"
#include "tests/unit/core/stun/vectors.h"

namespace runnel::ice {
namespace {

std::string outcome_of(Agent& agent, ByteView datagram) {
  const auto answered = deliver(agent, {}, path_of(1), datagram);
  if (!answered) return std::string(to_string(answered.error()));
  if (answered->error()) return std::to_string(static_cast<int>(*answered->error()));
  return answered->outcome.selected ? "selected" : "validated";
}

/// An agent that the checks among them are meant for.
Agent agent_of_vectors() {
  Agent agent(kLocal);
  agent.set_remote_ufrag("cliU");
  return agent;
}

TEST(IceVectors, EachCheckHasItsOutcomeAndOnlySuccessLeavesATrace) {
  std::size_t count = 0;
  for (const nlohmann::json& vector : stun::load_vectors()) {
    if (!vector.contains("check")) continue;
    SCOPED_TRACE(vector.at("id").get<std::string>());
    const auto expected = vector.at("check").get<std::string>();
    Agent agent = agent_of_vectors();
    EXPECT_EQ(outcome_of(agent, stun::from_hex(vector.at("packet").get<std::string>())), expected);
    EXPECT_EQ(agent.is_validated(path_of(1)), expected == "selected" || expected == "validated");
    EXPECT_EQ(agent.selected().has_value(), expected == "selected");
    ++count;
  }
  EXPECT_EQ(count, 29u);
}

TEST(IceVectors, MessagesForOthersAndWhatIsNoneLeaveNoTrace) {
  for (const nlohmann::json& vector : stun::load_vectors()) {
    if (vector.contains("check")) continue;
    SCOPED_TRACE(vector.at("id").get<std::string>());
    Agent agent = agent_of_vectors();
    const Bytes packet = stun::from_hex(vector.at("packet").get<std::string>());
    EXPECT_FALSE(deliver(agent, {}, path_of(1), packet).has_value());
    EXPECT_TRUE(agent.paths().empty());
  }
}

}  // namespace
}  // namespace runnel::ice

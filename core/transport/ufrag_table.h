// Which peer a check is for: peers by the user name fragments that we have given them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace runnel::transport {

struct Peer;

/// A peer has two fragments while it restarts. Looking up allocates nothing.
class UfragTable {
 public:
  /// False: somebody has it.
  [[nodiscard]] bool add(const std::string& ufrag, Peer& peer) {
    return peers_.try_emplace(ufrag, &peer).second;
  }
  void remove(const std::string& ufrag) noexcept { peers_.erase(ufrag); }
  /// nullptr: nobody has it.
  [[nodiscard]] Peer* find(std::string_view ufrag) const noexcept {
    const auto found = peers_.find(ufrag);
    return found == peers_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::size_t size() const noexcept { return peers_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view ufrag) const noexcept {
      return std::hash<std::string_view>()(ufrag);
    }
  };
  std::unordered_map<std::string, Peer*, Hash, std::equal_to<>> peers_;
};

}  // namespace runnel::transport

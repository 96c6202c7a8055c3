// YAML text as a tree of nodes that know their lines; hostile texts are refused before they hurt.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/problem_list.h"

namespace runnel::config::yaml {

enum class NodeKind : std::uint8_t { null, scalar, sequence, mapping };

struct Node;

struct Entry {
  std::string key;
  int line = 0;  // of the key
  const Node* value = nullptr;
};

/// Nodes refer to each other by pointer; an alias is a second pointer to the anchored node. The
/// text of scalars is wiped when the document dies, since keys are among them.
struct Node {
  NodeKind kind = NodeKind::null;
  int line = 0;
  std::string text;                // of a scalar
  std::vector<const Node*> items;  // of a sequence
  std::vector<Entry> entries;      // of a mapping: keys are unique, `<<` is merged
  /// Nodes below and including this one when every alias is written out.
  std::size_t weight = 1;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

/// Aliases may blow a document up to this many nodes.
inline constexpr std::size_t kMaxNodes = 500'000;
/// Nesting of sequences and mappings.
inline constexpr std::size_t kMaxDepth = 32;

/// A tree; addresses of nodes stay valid as long as the document lives.
class Document {
 public:
  /// One YAML document. What is wrong goes to `problems`; nullopt when no tree could be made.
  [[nodiscard]] static std::optional<Document> parse(std::string_view text, ProblemList& problems);

  Document(Document&&) noexcept = default;
  Document& operator=(Document&&) noexcept = default;

  /// Null for an empty text.
  [[nodiscard]] const Node& root() const noexcept { return *root_; }

 private:
  friend class TreeBuilder;
  Document() = default;

  std::deque<Node> nodes_;
  const Node* root_ = nullptr;
};

}  // namespace runnel::config::yaml

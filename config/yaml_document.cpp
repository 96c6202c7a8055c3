#include "config/yaml_document.h"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_map>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "config/wording.h"
#include "core/base/secret.h"

namespace runnel::config::yaml {

Node::~Node() {
  wipe(text.data(), text.size());
}

namespace {

int line_of(const YAML::Mark& mark) noexcept {
  return mark.line + 1;
}

/// Ends the parse; leaves yaml-cpp and is caught in Document::parse.
struct Refusal {
  int line = 0;
  std::string text;
  std::string remedy;
};

/// The text as a stream, without a copy of the keys in it.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

}  // namespace

/// Listens to yaml-cpp's events instead of taking its tree, because the events show what the tree
/// hides: duplicate keys, aliases before they are expanded, and depth before it is built.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(Document& document, ProblemList& problems)
      : document_(document), problems_(problems) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node& node = add(NodeKind::null, mark, anchor);
    complete(node, line_of(mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node* node = anchors_.contains(anchor) ? anchors_[anchor] : nullptr;
    const auto is_open = [&](const Frame& frame) { return frame.node == node; };
    if (node == nullptr || std::any_of(open_.begin(), open_.end(), is_open)) {
      throw Refusal{line_of(mark), "an alias inside of what it stands for", "write it out"};
    }
    complete(*node, line_of(mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    Node& node = add(NodeKind::scalar, mark, anchor);
    node.text = value;
    complete(node, line_of(mark));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(NodeKind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(NodeKind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node* node = nullptr;
    bool has_key = false;
    std::string key;
    int key_line = 0;
    std::unordered_map<std::string, int> lines;  // of the keys so far
    std::vector<Entry> merges;                   // `<<`
  };

  Node& add(NodeKind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Node& node = document_.nodes_.emplace_back();
    node.kind = kind;
    node.line = line_of(mark);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    return node;
  }

  void open(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (open_.size() == kMaxDepth) {
      throw Refusal{line_of(mark), "nested deeper than " + std::to_string(kMaxDepth) + " levels",
                    "a configuration needs eight at most"};
    }
    if (!open_.empty() && open_.back().node->kind == NodeKind::mapping && !open_.back().has_key) {
      refuse_key(line_of(mark));
    }
    open_.emplace_back().node = &add(kind, mark, anchor);
  }

  void close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    merge(frame);
    complete(*frame.node, frame.node->line);
  }

  /// `node` is finished: it is the root, an item, a key or a value of what is open.
  void complete(const Node& node, int line) {
    if (open_.empty()) {
      document_.root_ = &node;
      return;
    }
    Frame& frame = open_.back();
    if (frame.node->kind == NodeKind::mapping && !frame.has_key) {
      if (node.kind != NodeKind::scalar) refuse_key(line);
      frame.has_key = true;
      frame.key = node.text;
      frame.key_line = line;
      return;
    }
    add_weight(*frame.node, node.weight, line);
    if (frame.node->kind == NodeKind::sequence) {
      frame.node->items.push_back(&node);
    } else {
      frame.has_key = false;
      add_entry(frame, {frame.key, frame.key_line, &node});
    }
  }

  void add_entry(Frame& frame, Entry entry) {
    if (entry.key == "<<") {
      frame.merges.push_back(std::move(entry));
      return;
    }
    const auto [first, is_new] = frame.lines.try_emplace(entry.key, entry.line);
    if (is_new) {
      frame.node->entries.push_back(std::move(entry));
      return;
    }
    problems_.error({problems_.file(), entry.line, ""},
                    "duplicate key " + quote(entry.key) + ", first given in line " +
                        std::to_string(first->second),
                    "keep one of the two");
  }

  /// `<<: *anchor` or `<<: [*a, *b]`: what the mapping itself says goes first.
  void merge(Frame& frame) {
    for (const Entry& merge : frame.merges) {
      std::vector<const Node*> sources{merge.value};
      if (merge.value->kind == NodeKind::sequence) sources = merge.value->items;
      for (const Node* source : sources) {
        if (source->kind != NodeKind::mapping) {
          throw Refusal{merge.line, "'<<' merges something that is no mapping",
                        "write <<: *NAME with an anchored mapping"};
        }
        for (const Entry& entry : source->entries) {
          if (!frame.lines.try_emplace(entry.key, entry.line).second) continue;
          add_weight(*frame.node, entry.value->weight, merge.line);
          frame.node->entries.push_back(entry);
        }
      }
    }
  }

  static void add_weight(Node& node, std::size_t weight, int line) {
    node.weight += weight;
    if (node.weight > kMaxNodes) {
      throw Refusal{
          line, "aliases blow the file up to more than " + std::to_string(kMaxNodes) + " values",
          "use fewer aliases of large parts"};
    }
  }

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    const bool is_standard =
        tag.empty() || tag == "?" || tag == "!" || tag.starts_with("tag:yaml.org,");
    if (is_standard) return;
    throw Refusal{line_of(mark), "the YAML tag " + quote(tag) + " is not supported",
                  "write the value without a tag"};
  }

  [[noreturn]] static void refuse_key(int line) {
    throw Refusal{line, "a key must be a plain word", "write KEY: VALUE, and close every bracket"};
  }

  Document& document_;
  ProblemList& problems_;
  std::vector<Frame> open_;
  std::unordered_map<YAML::anchor_t, const Node*> anchors_;
};

std::optional<Document> Document::parse(std::string_view text, ProblemList& problems) {
  const auto refuse = [&](int line, std::string what, std::string remedy) {
    problems.error({problems.file(), line, ""}, std::move(what), std::move(remedy));
    return std::nullopt;
  };
  Document document;
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    TreeBuilder builder(document, problems);
    if (parser.HandleNextDocument(builder)) {
      Document rest;
      TreeBuilder rest_builder(rest, problems);
      if (parser.HandleNextDocument(rest_builder)) {
        return refuse(rest.root_ == nullptr ? 1 : rest.root_->line,
                      "a second YAML document begins here", "remove the line '---' before it");
      }
    }
  } catch (const Refusal& refusal) {
    return refuse(refusal.line, refusal.text, refusal.remedy);
  } catch (const YAML::Exception& exception) {
    return refuse(std::max(1, line_of(exception.mark)), "not valid YAML: " + exception.msg,
                  "look at the indentation, quotes and brackets here and in the line above");
  }
  if (document.root_ == nullptr) document.root_ = &document.nodes_.emplace_back();
  return document;
}

}  // namespace runnel::config::yaml

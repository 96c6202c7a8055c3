#include "core/signalling/json_document.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/secret.h"
#include "core/signalling/codec.h"

namespace runnel::signalling::json {
namespace {

/// "line 3, column 7" of the byte at which `read` bytes end.
std::string place(std::string_view text, std::size_t read) {
  const std::string_view before = text.substr(0, read == 0 ? 0 : read - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// What the parser has against the text, without the part that quotes it.
std::string reason(std::string_view message) {
  constexpr std::string_view kIntroduction = "syntax error ";
  const std::size_t start = message.find(kIntroduction);
  if (start == std::string_view::npos) return "a number is too large";
  message.remove_prefix(start + kIntroduction.size());
  std::string result(message.substr(0, message.find(';')));
  if (const std::size_t dash = result.find(" - "); dash != std::string::npos) {
    result.replace(dash, 3, ": ");
  }
  return result;
}

/// Builds the tree from the events of the parser; each answers whether parsing goes on.
class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  Node root;
  std::string problem;

  bool null() { return add(Kind::null) != nullptr; }
  bool boolean(bool value) {
    Node* node = add(Kind::boolean);
    if (node != nullptr) node->boolean = value;
    return node != nullptr;
  }
  bool number_unsigned(std::uint64_t value) {
    Node* node = add(Kind::integer);
    if (node != nullptr) node->integer = value;
    return node != nullptr;
  }
  bool number_integer(std::int64_t value) { return add_real(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_real(value); }
  bool string(std::string& value) {
    Node* node = add(Kind::string);
    if (node != nullptr) node->text = value;
    // The parser would leave it in the buffer of its next token.
    wipe(value.data(), value.size());
    return node != nullptr;
  }
  bool binary(nlohmann::json::binary_t&) { return stop("binary data is not JSON"); }

  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    std::vector<Member>& members = open_.back()->members;
    const auto is_same = [&](const Member& member) { return member.name == name; };
    if (members.size() == kMaxMembers) {
      return stop("an object has more than " + std::to_string(kMaxMembers) + " members");
    }
    if (std::any_of(members.begin(), members.end(), is_same)) {
      return stop("a name stands twice in one object");
    }
    members.emplace_back().name = name;
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception& error) {
    problem = "the text is no JSON: " + reason(error.what()) + ", at " + place(text_, read);
    return false;
  }

 private:
  bool stop(std::string why) {
    problem = std::move(why);
    return false;
  }

  /// Where the next value belongs; nullptr when there are too many.
  Node* add(Kind kind) {
    if (++values_ > kMaxValues) {
      stop("the text has more than " + std::to_string(kMaxValues) + " values");
      return nullptr;
    }
    Node* node = &root;
    if (!open_.empty()) {
      Node& parent = *open_.back();
      node =
          parent.kind == Kind::array ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    node->kind = kind;
    return node;
  }

  bool add_real(double value) {
    Node* node = add(Kind::real);
    if (node != nullptr) node->real = value;
    return node != nullptr;
  }

  bool open(Kind kind) {
    if (open_.size() == kMaxDepth) {
      return stop("more than " + std::to_string(kMaxDepth) +
                  " objects and arrays stand inside of one another");
    }
    Node* node = add(kind);
    // A node stays where it is while it is open: only the innermost container grows.
    if (node != nullptr) open_.push_back(node);
    return node != nullptr;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  std::vector<Node*> open_;
  std::size_t values_ = 0;
};

}  // namespace

Node::Node() = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() {
  // All of the storage: a string that has moved away leaves its bytes when they were few.
  text.resize(text.capacity());
  wipe(text.data(), text.size());
}

std::expected<Node, std::string> parse_object(std::string_view text) {
  // The parser would take it for the end, and not look at what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return std::unexpected("the text is no JSON: a zero byte, at " + place(text, zero + 1));
  }
  TreeBuilder builder(text);
  try {
    const bool complete =
        nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder);
    if (!complete) return std::unexpected(std::move(builder.problem));
  } catch (const std::exception&) {
    return std::unexpected("the text cannot be taken apart");
  }
  if (builder.root.kind != Kind::object) return std::unexpected("the text is no JSON object");
  return std::move(builder.root);
}

}  // namespace runnel::signalling::json

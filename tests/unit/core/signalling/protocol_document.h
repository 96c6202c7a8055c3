// The examples and tables of PROTOCOL.md, for tests that hold the document to the code.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace runnel::signalling {

inline std::string protocol_document() {
  std::ifstream file(std::filesystem::path(RUNNEL_SOURCE_DIR) / "core/signalling/PROTOCOL.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The texts of all blocks that are marked as JSON, in the order of the document.
inline std::vector<std::string> protocol_examples() {
  const std::string document = protocol_document();
  const std::string begin = "```json\n";
  std::vector<std::string> examples;
  for (std::size_t at = document.find(begin); at != std::string::npos;
       at = document.find(begin, at)) {
    at += begin.size();
    const std::size_t end = document.find("\n```", at);
    examples.push_back(document.substr(at, end - at));
    at = end;
  }
  return examples;
}

/// The example that equals `text` as JSON, if there is one.
inline bool has_example(const std::string& text) {
  const auto wanted = nlohmann::json::parse(text);
  for (const std::string& example : protocol_examples()) {
    if (nlohmann::json::parse(example) == wanted) return true;
  }
  return false;
}

}  // namespace runnel::signalling

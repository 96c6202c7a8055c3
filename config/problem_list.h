// Collects what is wrong with a file and what is merely unwise, up to a bound.
#pragma once

#include <string>
#include <vector>

#include "config/loader.h"

namespace runnel::config {

/// Errors and warnings beyond this number are counted and not kept: a person corrects the first and
/// looks again.
inline constexpr std::size_t kMaxProblems = 100;

class ProblemList {
 public:
  explicit ProblemList(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  void error(Origin origin, std::string text, std::string remedy);
  void warn(Origin origin, std::string text, std::string remedy);

  [[nodiscard]] bool has_errors() const noexcept { return !errors_.kept.empty(); }
  /// In the order of their lines; the last one tells how many were left out. Empties the list.
  [[nodiscard]] std::vector<Problem> take_errors();
  [[nodiscard]] std::vector<Problem> take_warnings();

 private:
  struct Bounded {
    std::vector<Problem> kept;  // in the order of their lines
    std::size_t left_out = 0;

    void add(Problem problem);
  };
  [[nodiscard]] std::vector<Problem> take(Bounded& problems, const char* kind) const;

  std::string file_;
  Bounded errors_;
  Bounded warnings_;
};

}  // namespace runnel::config

#include "config/problem_list.h"

#include <algorithm>
#include <utility>

namespace runnel::config {

std::string Problem::to_string() const {
  std::string line = origin.to_string() + ": " + text;
  if (!remedy.empty()) line += "; " + remedy;
  return line;
}

void ProblemList::Bounded::add(Problem problem) {
  if (kept.size() == kMaxProblems) {
    ++left_out;
    return;
  }
  const auto place =
      std::upper_bound(kept.begin(), kept.end(), problem.origin.line,
                       [](int line, const Problem& other) { return line < other.origin.line; });
  kept.insert(place, std::move(problem));
}

void ProblemList::error(Origin origin, std::string text, std::string remedy) {
  errors_.add({std::move(origin), std::move(text), std::move(remedy)});
}

void ProblemList::warn(Origin origin, std::string text, std::string remedy) {
  warnings_.add({std::move(origin), std::move(text), std::move(remedy)});
}

std::vector<Problem> ProblemList::take_errors() {
  return take(errors_, "errors");
}
std::vector<Problem> ProblemList::take_warnings() {
  return take(warnings_, "warnings");
}

std::vector<Problem> ProblemList::take(Bounded& problems, const char* kind) const {
  std::vector<Problem> taken = std::exchange(problems.kept, {});
  if (const std::size_t left_out = std::exchange(problems.left_out, 0); left_out > 0) {
    Origin last = taken.back().origin;
    last.key.clear();
    taken.push_back({std::move(last),
                     std::to_string(left_out) + " more " + kind + " are not listed",
                     "correct the ones above first"});
  }
  return taken;
}

}  // namespace runnel::config

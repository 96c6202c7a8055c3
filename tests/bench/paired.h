// Two ways of doing the same work, measured in alternation inside one loop, so that whatever else
// the machine does meets both alike. The ratio is the median of the rounds' ratios.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include <benchmark/benchmark.h>

namespace runnel::bench {

inline double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Work>
double nanoseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// Calls `ours` and `peer` in turn; each does its work `operations` times per call. Before each
/// turn `prepare` is called, unmeasured. Counters: `ours` and `peer` in ns per operation (medians)
/// and `ratio`, how many times faster ours is.
template <typename Ours, typename Peer, typename Prepare>
void run_paired(benchmark::State& state, double operations, const Ours& ours, const Peer& peer,
                const Prepare& prepare) {
  std::vector<double> ours_ns;
  std::vector<double> peer_ns;
  std::vector<double> ratios;
  for (auto _ : state) {
    prepare();
    const double a = nanoseconds(ours);
    const double b = nanoseconds(peer);
    ours_ns.push_back(a / operations);
    peer_ns.push_back(b / operations);
    ratios.push_back(b / a);
    state.SetIterationTime(a * 1e-9);
  }
  state.counters["ours"] = median(ours_ns);
  state.counters["peer"] = median(peer_ns);
  state.counters["ratio"] = median(ratios);
}

template <typename Ours, typename Peer>
void run_paired(benchmark::State& state, double operations, const Ours& ours, const Peer& peer) {
  run_paired(state, operations, ours, peer, [] {});
}

}  // namespace runnel::bench

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// bounded: all schedules with at most c preemptions, for c = 0, 1, 2, ..., each bound complete before the next:
// iterative context bounding (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded
// programs", PLDI 2007). A preemption is a switch away from a thread that could have gone on and did not yield. With
// delays=K a choice costs as many threads as it passes over in the round that begins with the one the plain schedule
// would have taken (Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011).
//
// Unreduced: leaving out equivalent schedules within a bound is only sound with further branches for each that was left
// out (docs/adr/0006-bounding-without-reduction.md). Departure: the paper keeps a queue of schedules for the next
// bound; this search walks the tree again for each bound, so its memory is one path, and cheap schedules are run again.
//
// When no choice was passed over because of its cost, everything was covered, and the search is complete.
#include <charconv>

#include "explore/make_strategy.h"
#include "explore/path_search.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class Bounded final : public PathSearch {
 public:
  Bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, bool delays, std::uint32_t most)
      : PathSearch(memory, options, most), delays_(delays) {}

 private:
  [[nodiscard]] std::string_view covered(std::uint32_t bounds) const override {
    constexpr std::string_view kBegin = "all schedules with at most ";
    const std::string_view unit = delays_ ? " delays explored" : " preemptions explored";
    char* out = text_;
    for (const char c : kBegin) *out++ = c;
    out = std::to_chars(out, text_ + sizeof text_, bounds - 1).ptr;
    for (const char c : unit) *out++ = c;
    return {text_, static_cast<std::size_t>(out - text_)};
  }
  [[nodiscard]] std::uint32_t cost(const DecisionPath::Entry& entry, std::uint32_t rank) const override {
    if (entry.threads_at == kNotListed || rank == entry.first) return 0;
    if (delays_) return rank > entry.first ? rank - entry.first : rank + entry.options - entry.first;
    return entry.running != kNoThread && path().choice(entry, entry.first) == entry.running ? 1 : 0;
  }

  bool delays_;
  mutable char text_[96] = {};
};

}  // namespace

StrategyParts create_bounded(std::pmr::memory_resource& memory, const StrategyOptions& options,
                             std::string_view& error) {
  const bool delays = options.parameters.is_given("delays");
  if (delays && options.parameters.is_given("preemptions")) {
    error = "expected preemptions=N or delays=N, not both";
    return {};
  }
  const std::uint64_t most = options.parameters[delays ? "delays" : "preemptions"];
  return make_strategy<Bounded>(memory, memory, options, delays, static_cast<std::uint32_t>(most));
}

}  // namespace ravel

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
#include <new>

#include "explore/parameters.h"
#include "explore/path_search.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kNoLimit = 0xffffffffu;

class Bounded final : public PathSearch {
 public:
  Bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, bool delays, std::uint32_t most)
      : PathSearch(memory, options, most), delays_(delays) {}

  [[nodiscard]] std::string_view note() const override {
    if (const std::string_view trouble = PathSearch::note(); !trouble.empty()) return trouble;
    if (complete() || bounds() == 0) return {};
    constexpr std::string_view kBegin = "all schedules with at most ";
    const std::string_view unit = delays_ ? " delays explored" : " preemptions explored";
    char* out = text_;
    for (const char c : kBegin) *out++ = c;
    out = std::to_chars(out, text_ + sizeof text_, bounds() - 1).ptr;
    for (const char c : unit) *out++ = c;
    return {text_, static_cast<std::size_t>(out - text_)};
  }

 private:
  [[nodiscard]] std::uint32_t cost(const DecisionPath::Entry& entry, std::uint32_t rank) const override {
    if (entry.threads_at == kNotListed || rank == entry.first) return 0;
    if (delays_) return rank > entry.first ? rank - entry.first : rank + entry.options - entry.first;
    return entry.running != kNoThread && path().choice(entry, entry.first) == entry.running ? 1 : 0;
  }

  bool delays_;
  mutable char text_[96] = {};
};

}  // namespace

Strategy* create_bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  const bool delays = options.parameters.substr(0, 6) == "delays";
  std::uint64_t most = kNoLimit;
  if (!read_parameter(options.parameters, delays ? "delays" : "preemptions", &most)) {
    error = "expected preemptions=N or delays=N";
    return nullptr;
  }
  return new (memory.allocate(sizeof(Bounded), alignof(Bounded)))
      Bounded(memory, options, delays, static_cast<std::uint32_t>(most));
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/path_search.h"

#include "base/hash.h"
#include "explore/estimate.h"
#include "explore/sampling.h"

namespace ravel {
namespace {

// Some dozens of parts for each process, so that large and small ones even out.
std::uint32_t depth_for(std::uint32_t shards) {
  std::uint32_t depth = 6;
  for (std::uint32_t n = 1; n < shards; n *= 2) ++depth;
  return shards == 1 ? 0 : depth;
}

std::uint32_t after(const DecisionPath::Entry& entry, std::uint32_t rank) {
  return rank + 1 == entry.options ? 0 : rank + 1;
}

}  // namespace

PathSearch::PathSearch(std::pmr::memory_resource& memory, const StrategyOptions& options, std::uint32_t most,
                       StateMatch* match)
    : match_(match),
      path_(memory),
      most_(most),
      shard_(options.shard_index),
      shards_(options.shard_count == 0 ? 1 : options.shard_count),
      split_depth_(depth_for(shards_)) {}

bool PathSearch::next(PlanWriter& plan) {
  const State& s = state_.current();
  if (s.finished != 0) return false;
  plan.spec.policy = PolicySpec{};
  if (match_ != nullptr) {
    match_->publish(s.states);
    match_->write_policy(plan.spec.policy, s.number, s.search);
  }
  path_.write(plan, s.length, s.last);
  return true;
}

Share PathSearch::learn(const Execution& execution) {
  State& s = state_.prepare();
  if (execution.points_grew) {
    const State before = s;
    s = State{};
    s.number = before.number + 1;
    s.search = before.search + 1;
  } else {
    ++s.number;
    if (!ran_to_its_end(execution.result.outcome)) s.cut = 1;
    if (s.length != 0) {
      DecisionPath::Entry& entry = path_[s.length - 1];
      entry.current = s.last;
    }
    const DecisionPath::Fit fit = path_.extend(execution, &s.length, match_, &s.states);
    if (match_ != nullptr && execution.result.guide.inexact != 0) s.inexact = 1;
    if (fit == DecisionPath::Fit::kDiverged) s.diverged = 1;
    if (fit == DecisionPath::Fit::kTooBig) s.too_big = 1;
    s.last = s.length == 0 ? 0 : path_[s.length - 1].current;
    const bool own = is_own(s.length, s.last);
    s.share = own ? Share::kCounts : Share::kOfAnotherProcess;
    s.counted += own;
    if (!own && s.length > split_depth_) {
      s.length = split_depth_;
      s.last = path_[s.length - 1].current;
    }
    step_on(s);
  }
  state_.commit();
  return state_.current().share;
}

bool PathSearch::is_own(std::uint32_t length, std::uint32_t last) const {
  if (shards_ == 1) return true;
  const std::uint32_t decisive = length < split_depth_ ? length : split_depth_;
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < decisive; ++i) {
    hash = hash_combine(hash, path_.choice(path_[i], i + 1 == length ? last : path_[i].current));
  }
  return mix64(hash) % shards_ == shard_;
}

void PathSearch::step_on(State& s) const {
  while (find_next(s)) {
    if (s.length != split_depth_ || is_own(s.length, s.last)) return;
  }
  s.length = s.last = 0;
  if (s.passed_over == 0 || s.bound >= most_) {
    s.finished = 1;
  } else {
    ++s.bound;
    s.passed_over = 0;
    s.counted = 0;
  }
}

// The deepest decision with an affordable alternative, in cyclic order from the first.
bool PathSearch::find_next(State& s) const {
  std::uint32_t spent = 0;
  for (std::uint32_t i = 0; i + 1 < s.length; ++i) spent += cost(path_[i], path_[i].current);
  std::uint32_t rank = s.last;
  while (s.length > 0) {
    const DecisionPath::Entry& entry = path_[s.length - 1];
    for (std::uint32_t other = after(entry, rank); other != entry.first; other = after(entry, other)) {
      if (spent + cost(entry, other) > s.bound) {
        s.passed_over = 1;
        continue;
      }
      s.last = other;
      return true;
    }
    if (--s.length == 0) break;
    rank = path_[s.length - 1].current;
    spent -= cost(path_[s.length - 1], rank);
  }
  return false;
}

std::uint32_t PathSearch::bounds() const {
  const State& s = state_.current();
  if (s.cut != 0 || s.too_big != 0 || s.diverged != 0 || s.inexact != 0) return 0;
  return s.bound + (s.finished != 0 ? 1 : 0);
}

// Of the present bound; what the earlier ones took is added.
Estimate PathSearch::estimate(std::uint64_t counted) const {
  const State& s = state_.current();
  if (s.finished != 0) return {counted, counted, counted};
  SubtreeEstimate tree(s.counted, Grows::kNo);
  std::uint32_t spent = 0;
  for (std::uint32_t i = 0; i + 1 < s.length; ++i) spent += cost(path_[i], path_[i].current);
  for (std::uint32_t i = s.length; i > 0; --i) {
    const DecisionPath::Entry& entry = path_[i - 1];
    const bool next_one = i == s.length;  // its last choice is still to be run
    std::uint32_t done = 0;
    std::uint32_t left = 0;
    bool before = true;
    std::uint32_t rank = entry.first;
    do {
      const bool active = rank == (next_one ? s.last : entry.current);
      if (active) before = false;
      if (!active && spent + cost(entry, rank) <= s.bound) ++(before ? done : left);
      rank = after(entry, rank);
    } while (rank != entry.first);
    if (next_one) {
      tree.lowest(done, left + 1);
    } else {
      tree.above(done, left);
    }
    if (i > 1) spent -= cost(path_[i - 2], path_[i - 2].current);
  }
  return tree.total(counted - s.counted, counted);
}

SearchVerdict PathSearch::verdict(std::uint64_t counted) const {
  SearchVerdict verdict;
  verdict.kept = sound();
  const bool everything = match_ == nullptr || match_->covers_everything();
  verdict.complete = verdict.kept && everything && state_.current().passed_over == 0;
  verdict.bounds = bounds();
  verdict.estimate = estimate(counted);
  verdict.note = trouble();
  if (verdict.note.empty() && !verdict.complete && verdict.bounds != 0) verdict.note = covered(verdict.bounds);
  return verdict;
}

std::string_view PathSearch::trouble() const {
  const State& s = state_.current();
  if (s.diverged != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
  if (s.too_big != 0) return "some decisions are beyond what the search can branch on";
  if (s.cut != 0) return "some executions were cut before their end";
  if (s.inexact != 0)
    return "some states cannot be distinguished for certain: operations overlap, or are of unknown effect";
  return {};
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/progress.h"

#include <cstring>
#include <string_view>

#include "wire/shared_block.h"

namespace ravel {
namespace {

template <class T, class V>
void put(std::atomic<T>& to, V value) {
  to.store(static_cast<T>(value), std::memory_order_relaxed);
}

class Note {
 public:
  explicit Note(char (&text)[256]) : text_(text) {}
  void sentence(std::string_view words) {
    if (words.empty()) return;
    if (length_ != 0) add("; ");
    add(words);
  }
  void add(std::string_view words) {
    for (const char c : words) {
      if (length_ + 1 < sizeof(text_)) text_[length_++] = c;
    }
    text_[length_] = 0;
  }
  void add(std::uint64_t number) {
    char digits[20];
    std::size_t n = sizeof(digits);
    do {
      digits[--n] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    add(std::string_view(digits + n, sizeof(digits) - n));
  }

 private:
  char (&text_)[256];
  std::size_t length_ = 0;
};

}  // namespace

void publish_operations(SharedBlock& block, const Counters& counters) {
  for (std::size_t i = 0; i < kOperationKinds; ++i) put(block.progress.operations[i], counters.operations[i]);
}

void publish(SharedBlock& block, const Counters& counters, std::uint64_t steps) {
  Progress& progress = block.progress;
  put(progress.steps, counters.steps);
  put(progress.decisions, counters.decisions);
  put(progress.distinct, counters.traces.distinct);
  put(progress.sequences, counters.sequences.distinct);
  put(progress.digest, counters.digest);
  put(progress.blocked, counters.blocked);
  put(progress.abandoned, counters.abandoned);
  put(progress.cut, counters.cut);
  put(progress.choices, counters.choices);
  put(progress.callouts, counters.callouts);
  put(progress.mismatches, counters.mismatches);
  put(progress.goal_level, counters.goal_level);
  put(progress.goal_states, counters.goal_states);
  put(progress.max_threads, counters.max_threads);
  put(progress.early_end, counters.early_end);
  put(progress.unchanged, steps - counters.last_new);
  // Seeds are complete before they are counted.
  progress.outcomes.store(counters.outcomes, std::memory_order_release);
  progress.findings.store(counters.findings, std::memory_order_release);
  progress.executions.store(counters.executions, std::memory_order_release);
}

void publish_part(SharedBlock& block, const Counters& counters, unsigned part) {
  if (part >= kMaxStrategyParts || counters.parts[part].executions == 0) return;
  const PartCounters& counted = counters.parts[part];
  auto& shown = block.progress.parts[part];
  put(shown.executions, counted.executions);
  put(shown.distinct, counted.distinct);
  put(shown.findings, counted.findings);
}

void publish_estimate(SharedBlock& block, const SearchVerdict& verdict) {
  Progress& progress = block.progress;
  put(progress.bounds, verdict.bounds);
  put(progress.suspects, verdict.suspects);
  progress.divergence = verdict.divergence;
  put(progress.own_sequences, verdict.own_sequences ? 1 : 0);
  const Estimate& estimate = verdict.estimate;
  if (estimate.likely == 0) return;  // what was said last holds
  put(progress.estimate, estimate.likely);
  put(progress.estimate_low, estimate.low);
  put(progress.estimate_high, estimate.high);
}

SearchVerdict verdict_of(const CampaignState& state) {
  const Counters& done = state.counters.current();
  SearchVerdict verdict = state.parts.strategy->verdict(done.executions);
  const auto met = [&](OpKind kind) { return done.operations[static_cast<std::size_t>(kind)] != 0; };
  const bool unmapped = met(OpKind::kUnmap);
  const bool set = met(OpKind::kSetting);
  if (done.shortened != 0 || unmapped || set) {
    verdict.complete = verdict.kept = false;
    verdict.bounds = 0;
    if (state.searches_tree && verdict.note.empty()) {
      verdict.note =
          unmapped ? "memory was unmapped beside other threads: no access is known to conflict with that"
          : set    ? "a setting of the whole process was changed beside other threads: no call is known to depend on it"
                   : "a loop that counts its reads of an unchanged value was shortened";
    }
  }
  return verdict;
}

namespace {
// Beside what the runtime does not control: with its line, which only the tool can find.
void name_gap(SharedBlock& block, std::string_view name, LocationId location, std::string_view why) {
  const std::uint32_t count = block.uncontrolled_count.load(std::memory_order_relaxed);
  if (count >= kMaxUncontrolled) return;
  UncontrolledRecord& record = block.uncontrolled[count];
  record.times.store(1, std::memory_order_relaxed);
  record.location = location;
  std::memcpy(record.call, name.data(), name.size() < sizeof record.call ? name.size() : sizeof record.call - 1);
  std::memcpy(record.detail, why.data(), why.size() < sizeof record.detail ? why.size() : sizeof record.detail - 1);
  block.uncontrolled_count.store(count + 1, std::memory_order_release);
}
void name_unmodelled(SharedBlock& block, const Unmodelled& what) {
  if (what.kind == OpKind::kNone || what.kind >= OpKind::kCount) return;
  name_gap(block, op_name(what.kind), what.location, "the search cannot reason about it: not complete");
}
void name_shortened(SharedBlock& block, LocationId loop) {
  if (loop != 0) name_gap(block, "polling loop", loop, "it counts equal reads, some were skipped: not complete");
}
}  // namespace

void write_note(SharedBlock& block, const CampaignState& state, const Lasting& lasting, bool export_failed) {
  const Counters& done = state.counters.current();
  Note note(block.progress.strategy_note);
  if (state.parts.strategy != nullptr) {
    const SearchVerdict verdict = verdict_of(state);
    name_unmodelled(block, verdict.unmodelled);
    if (state.searches_tree) name_shortened(block, done.shortened);
    note.sentence(verdict.note);
  }
  if (done.restarts != 0) {
    note.sentence("restarted ");
    note.add(done.restarts);
    note.add(done.restarts == 1 ? " time because new points were found" : " times because new points were found");
    if (block.isolation.doubtful.load(std::memory_order_relaxed) != 0) note.add(" or an execution was in doubt");
  }
  if (done.dropped_outcomes != 0) {
    note.sentence("no room for ");
    note.add(done.dropped_outcomes);
    note.add(" executions' outcomes");
  }
  if (done.dropped_findings != 0) {
    note.sentence("no room for ");
    note.add(done.dropped_findings);
    note.add(" further findings");
  }
  if (done.truncated != 0 || lasting.points.full()) {
    note.sentence("race detection is incomplete: too much memory touched in one execution");
  }
  if (lasting.traces.is_full(done.traces)) {
    note.sentence("distinct executions are counted up to ");
    note.add(done.traces.distinct);
    note.add(" only");
  }
  if (lasting.sequences.is_full(done.sequences)) {
    note.sentence("distinct sequences are counted up to ");
    note.add(done.sequences.distinct);
    note.add(" only");
  }
  if (export_failed) note.sentence("the trace could not be written");
}

}  // namespace ravel

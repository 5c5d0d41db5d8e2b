// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/turns.h"

namespace ravel {
namespace {

bool is_data(const DecisionRecord& decision) {
  return (decision.chosen & kDataChoice) != 0;
}

}  // namespace

bool TurnTable::reset(const ExecutionResult& result) {
  const std::uint32_t threads = result.threads;
  if (threads > kMaxTurnThreads) return false;
  for (std::uint32_t i = 0; i < threads; ++i) done_[i] = 0;
  return true;
}

std::uint32_t TurnTable::write(const Execution& execution, const EventLog& log, std::span<Turn> out) {
  const std::uint32_t threads = execution.result.threads;
  if (!log.whole() || !reset(execution.result)) return 0;
  std::uint32_t count = 0;
  std::size_t next = 0;  // decision
  for (std::uint32_t e = 0; e < log.count(); ++e) {
    const ThreadIndex thread = log.thread(e);
    if (thread >= threads) return 0;
    while (next < execution.decisions.size() && is_data(execution.decisions[next])) ++next;
    const auto start = static_cast<std::uint32_t>(next);
    bool broke = false;
    if (log.decided(e)) {
      if (next == execution.decisions.size() || execution.decisions[next].chosen != thread) return 0;
      broke = preempts(execution.decisions[next], thread);
      ++next;
    }
    if (count == 0 || out[count - 1].thread != thread) {
      if (count == out.size()) return 0;
      if (count != 0) out[count - 1].broken = broke ? 1 : 0;
      out[count++] = {thread, 0, start, 0};
    }
    out[count - 1].until = ++done_[thread];
  }
  return count;
}

Departure TurnTable::departure(const Execution& execution, const EventLog& log, std::span<const Turn> turns,
                               std::span<const std::uint32_t> data) {
  const std::uint32_t threads = execution.result.threads;
  Departure out;
  if (!log.whole() || !reset(execution.result)) return {Departure::Kind::kLost, 0, 0};
  std::uint32_t e = 0;
  std::size_t first = 0;
  std::size_t choices = 0;
  for (std::uint32_t d = 0; d < execution.decisions.size(); ++d) {
    const DecisionRecord& made = execution.decisions[d];
    if (is_data(made)) {
      const std::size_t number = choices++;
      if (number >= data.size() || data[number] >= made.options) continue;
      const std::uint32_t wish = kDataChoice | data[number];
      if (wish != made.chosen) return {Departure::Kind::kFound, d, wish};
      continue;
    }
    for (; e < log.count() && !log.decided(e); ++e) {
      if (log.thread(e) < threads) ++done_[log.thread(e)];
    }
    if (e < log.count() && log.thread(e) != made.chosen) return {Departure::Kind::kLost, d, 0};
    if (made.enabled_at <= kMaxEnabled && made.options <= kMaxEnabled - made.enabled_at) {
      const auto finished = [&](const Turn& t) { return t.thread >= threads || done_[t.thread] >= t.until; };
      while (first < turns.size() && turns[first].thread < threads && finished(turns[first])) ++first;
      const ThreadIndex* enabled = &execution.trace.enabled[made.enabled_at];
      for (std::size_t t = first; t < turns.size(); ++t) {
        if (finished(turns[t])) continue;
        bool can_run = false;
        for (std::uint32_t k = 0; k < made.options; ++k) can_run = can_run || enabled[k] == turns[t].thread;
        if (!can_run) continue;
        if (turns[t].thread != made.chosen) return {Departure::Kind::kFound, d, turns[t].thread};
        break;
      }
    }
    if (e < log.count() && log.thread(e) < threads) ++done_[log.thread(e++)];
  }
  return out;
}

std::uint32_t preemptions_in(std::span<const DecisionRecord> decisions, std::uint32_t count) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < count && i < decisions.size(); ++i) sum += preempts(decisions[i], decisions[i].chosen);
  return sum;
}

}  // namespace ravel

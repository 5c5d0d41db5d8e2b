// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// needed_orders: clocks over program order, creation, joining and the orders found so far. An operation asks each other
// thread for its latest conflicting one, latest first, and takes what its clock does not cover yet.
#include "report/value_orders.h"

#include <algorithm>
#include <memory_resource>
#include <unordered_map>

#include "causality/causality.h"
#include "report/lock_spans.h"
#include "report/wake_ups.h"
#include "semantics/dependence.h"

namespace ravel {
namespace {

constexpr std::uint64_t kCell = 8;

bool waits_for_condition(OpKind kind) {
  return kind == OpKind::kCondWait || kind == OpKind::kCondReacquire;
}

class Reduction {
 public:
  explicit Reduction(const std::vector<Event>& events) : events_(events) {
    for (const Event& e : events) threads_ = std::max<std::size_t>(threads_, std::size_t{e.thread} + 1);
    clocks_.assign(threads_, Clock(threads_, 0));
  }

  std::vector<EventOrder> run() {
    for (std::size_t i = 0; i < events_.size(); ++i) take(i);
    return std::move(out_);
  }

 private:
  using Clock = std::vector<std::uint32_t>;

  static void join(Clock& to, const Clock& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
  }

  void take(std::size_t i) {
    const Event& e = events_[i];
    Clock& clock = clocks_[e.thread];
    position_.push_back(++clock[e.thread]);
    if (e.kind == OpKind::kThreadCreate && e.value < threads_) join(clocks_[e.value], clock);
    if (e.kind == OpKind::kThreadJoin && !e.failed() && e.value < threads_) join(clock, clocks_[e.value]);
    if (!is_value_operation(e.kind)) return;
    if (releases(e.kind) || e.kind == OpKind::kCondWait) {
      released_[{e.kind == OpKind::kCondWait ? e.value : place_of(e), e.thread}] = clock;
    }
    keys_of(e);
    if (const auto signal = wakes_.chosen_by(e.thread); signal && e.kind == OpKind::kCondReacquire) {
      out_.push_back({*signal, i, ValueRelation::kWakes});
      join(clock, stored_[*signal]);
    }
    wakes_.add(e, i);
    std::vector<std::size_t> candidates;
    for (const std::uint64_t key : keys_) add_candidates(i, users_[key], candidates);
    std::sort(candidates.rbegin(), candidates.rend());
    for (const std::size_t other : candidates) {
      const Event& first = events_[other];
      if (position_[other] <= clock[first.thread]) continue;
      out_.push_back({other, i, relation(first, e)});
      join(clock, stored_[other]);
      if (out_.back().relation == ValueRelation::kHandsOn) join_section(clock, first);
    }
    stored_.emplace(i, clock);
    for (const std::uint64_t key : keys_) users_[key][e.thread].push_back(i);
  }

  // The whole critical section comes before the next acquisition.
  void join_section(Clock& clock, const Event& acquired) {
    const auto section =
        released_.find({sequence_place(acquired.kind, place_of(acquired), acquired.value), acquired.thread});
    if (section != released_.end()) join(clock, section->second);
  }

  void add_candidates(std::size_t i, const std::map<std::uint32_t, std::vector<std::size_t>>& users,
                      std::vector<std::size_t>& candidates) const {
    const Event& e = events_[i];
    for (const auto& [thread, list] : users) {
      if (thread == e.thread) continue;
      for (auto it = list.rbegin(); it != list.rend() && position_[*it] > clocks_[e.thread][thread]; ++it) {
        if (!is_ordered_pair(events_[*it], e)) continue;
        candidates.push_back(*it);
        break;
      }
    }
  }

  void keys_of(const Event& e) {
    keys_.clear();
    const std::uint64_t place = place_of(e);
    if (op_class(e.kind) != OpClass::kSync || e.kind == OpKind::kFutexWait) {
      const std::uint64_t end = place + std::max<std::uint64_t>(e.size, 1);
      for (std::uint64_t cell = place - place % kCell; cell < end; cell += kCell) keys_.push_back(2 * cell);
    }
    if (op_class(e.kind) == OpClass::kSync) keys_.push_back(2 * place + 1);
    if (e.kind == OpKind::kCondReacquire) keys_.push_back(2 * e.value + 1);
  }

  static ValueRelation relation(const Event& first, const Event& second) {
    if (has_write_effect(first.kind, first.bits) && has_read_effect(second.kind)) return ValueRelation::kDefines;
    const auto hands_on = [](const Event& e) {
      return takes_lock(e.kind) && !e.failed() && family_of(e.kind) != OpFamily::kRw;
    };
    return hands_on(first) && hands_on(second) ? ValueRelation::kHandsOn : ValueRelation::kBefore;
  }

  const std::vector<Event>& events_;
  std::size_t threads_ = 1;
  std::vector<Clock> clocks_;            // by thread
  std::vector<std::uint32_t> position_;  // of each event in its thread, from 1
  std::unordered_map<std::size_t, Clock> stored_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Clock> released_;  // by lock and thread: at its last release
  std::unordered_map<std::uint64_t, std::map<std::uint32_t, std::vector<std::size_t>>> users_;  // by key and thread
  WakeUps wakes_;
  std::vector<std::uint64_t> keys_;  // of the event in hand: cells are even, objects odd
  std::vector<EventOrder> out_;
};

}  // namespace

bool is_ordered_pair(const Event& a, const Event& b) {
  if (a.thread == b.thread || !is_value_operation(a.kind) || !is_value_operation(b.kind)) return false;
  // Whether a try-lock fails depends on the release; all else follows from the acquisitions.
  if ((releases(a.kind) && !b.failed()) || (releases(b.kind) && !a.failed())) return false;
  const bool both_wait = waits_for_condition(a.kind) && waits_for_condition(b.kind);
  if (both_wait) return a.kind == OpKind::kCondReacquire && b.kind == OpKind::kCondReacquire && a.value == b.value;
  if (a.kind == OpKind::kCondWait || b.kind == OpKind::kCondWait) {
    const Event& other = a.kind == OpKind::kCondWait ? b : a;
    return place_of(a) == place_of(b) && (other.kind == OpKind::kCondSignal || other.kind == OpKind::kCondBroadcast);
  }
  return dependent(view_of(a), view_of(b));
}

std::vector<EventOrder> concurrent_conflicts(const ExecutionRecord& record, const std::vector<std::size_t>& events) {
  std::pmr::monotonic_buffer_resource memory;
  CausalityOptions options;
  options.lifecycle_only = true;
  options.max_threads = static_cast<std::uint32_t>(record.threads.size()) + 2;
  options.max_clock_nodes = 1u << 16;
  options.max_sync_places = 16;
  Causality lifecycle(memory, options);
  lifecycle.begin();
  std::vector<EventOrder> out;
  std::vector<std::pair<std::size_t, Epoch>> seen;
  auto next = events.begin();
  for (std::size_t i = 0; i < record.events.size() && next != events.end(); ++i) {
    const Event& e = record.events[i];
    const bool wanted = *next == i;
    if (wanted) lifecycle.use(e.thread);
    const Epoch epoch = lifecycle.on_event(e);
    if (!wanted) continue;
    ++next;
    for (const auto& [other, at] : seen) {
      if (is_ordered_pair(record.events[other], e) && !lifecycle.ordered(at)) {
        out.push_back({other, i, ValueRelation::kBefore});
      }
    }
    seen.emplace_back(i, epoch);
  }
  return out;
}

std::vector<EventOrder> needed_orders(const ExecutionRecord& record) {
  return Reduction(record.events).run();
}

ValuesFile values_of(Names& names, bool contexts) {
  ValueAccesses accesses(names);
  const ExecutionRecord& record = names.record();
  ValuesFile file;
  std::map<std::string, std::string> labels;
  for (const EventOrder& order : needed_orders(record)) {
    ValueOrder line{accesses.describe(order.first, contexts), accesses.describe(order.second, contexts), order.relation,
                    0};
    labels[line.first.thread] = names.thread_label(record.events[order.first].thread);
    labels[line.second.thread] = names.thread_label(record.events[order.second].thread);
    file.orders.push_back(std::move(line));
  }
  // In a deadlock, who waits for a lock comes behind the one who has it.
  for (const Event& waiting : record.pending) {
    const bool waits = takes_lock(waiting.kind) && waiting.kind != OpKind::kCondReacquire;
    if (record.outcome != OutcomeKind::kDeadlock || !waits) continue;
    for (const LockSpan& span : lock_spans(record.events)) {
      const std::uint64_t lock = sequence_place(waiting.kind, place_of(waiting), waiting.value);
      if (span.place != lock || span.thread == waiting.thread || span.to != record.events.size()) continue;
      ValueOrder line{accesses.describe(span.from, contexts),
                      accesses.describe(waiting, record.events.size(), contexts), ValueRelation::kBefore, 0};
      labels[line.first.thread] = names.thread_label(span.thread);
      labels[line.second.thread] = names.thread_label(waiting.thread);
      file.orders.push_back(std::move(line));
    }
  }
  // Whom the last signals woke, who has not come to the lock.
  WakeUps wakes;
  for (std::size_t i = 0; i < record.events.size(); ++i) wakes.add(record.events[i], i);
  for (const Event& waiting : record.pending) {
    const auto signal = wakes.chosen_by(waiting.thread);
    if (!signal || waiting.kind != OpKind::kCondReacquire) continue;
    file.orders.push_back({accesses.describe(*signal, contexts),
                           accesses.describe(waiting, record.events.size(), contexts), ValueRelation::kWakes, 0});
    labels[file.orders.back().first.thread] = names.thread_label(record.events[*signal].thread);
    labels[file.orders.back().second.thread] = names.thread_label(waiting.thread);
  }
  for (const auto& [lineage, label] : labels) file.threads.emplace_back(label, lineage);
  for (ValueOrder& order : file.orders) {
    order.first.thread = labels[order.first.thread];
    order.second.thread = labels[order.second.thread];
  }
  file.expect.outcome = record.outcome;
  return file;
}

}  // namespace ravel

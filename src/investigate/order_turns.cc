// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/order_turns.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "report/lock_spans.h"
#include "report/wake_ups.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr int kMostAttempts = 64;

class Turns {
 public:
  Turns(const std::vector<Event>& events, const std::vector<WantedOrder>& orders) : events_(events), orders_(orders) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::size_t thread = events[i].thread;
      if (thread >= own_.size()) own_.resize(thread + 1);
      own_[thread].push_back(i);
    }
    for (std::size_t i = 0; i < events.size(); ++i) order_lives(i);
    for (std::size_t o = 0; o < orders.size(); ++o) {
      if (orders[o].second) behind_[*orders[o].second].push_back(o);
      if (orders[o].first) opens_[*orders[o].first].push_back(o);
    }
  }

  // Where somebody has entered a lock too early, as the orders are, the entry is ordered too.
  OrderTurns run() {
    for (int attempt = 0;; ++attempt) {
      begin();
      while (step()) {
      }
      if (attempt == kMostAttempts || !order_entry()) break;
    }
    out_.alternatives_before = alternatives_before();
    list_free();
    return std::move(out_);
  }

 private:
  struct Lock {
    std::map<ThreadIndex, std::uint32_t> inside;  // how often
    bool shared = false;
  };

  // A thread begins behind its creation and is joined behind its end.
  void order_lives(std::size_t i) {
    const Event& e = events_[i];
    const bool known = e.value < own_.size() && !own_[e.value].empty();
    if (e.kind == OpKind::kThreadCreate && known) before_[own_[e.value].front()].push_back(i);
    if (e.kind == OpKind::kThreadJoin && !e.failed() && known) before_[i].push_back(own_[e.value].back());
  }

  void begin() {
    out_ = {};
    done_.assign(events_.size(), false);
    at_.assign(own_.size(), 0);
    locks_.clear();
    entered_.clear();
    wakes_ = {};
    open_.clear();
  }

  // The next of the events that can come, in the order in which they came.
  bool step() {
    std::size_t best = events_.size();
    for (std::size_t t = 0; t < own_.size(); ++t) {
      if (at_[t] < own_[t].size() && own_[t][at_[t]] < best && can_come(own_[t][at_[t]])) best = own_[t][at_[t]];
    }
    if (best == events_.size()) return false;
    take(best);
    return true;
  }

  [[nodiscard]] bool is_done(const std::vector<std::size_t>& all) const {
    return std::all_of(all.begin(), all.end(), [&](std::size_t i) { return done_[i]; });
  }

  bool can_come(std::size_t i) {
    const auto before = before_.find(i);
    return (before == before_.end() || is_done(before->second)) && is_in_order(i) && can_enter(events_[i]) &&
           !comes_between(i);
  }

  [[nodiscard]] bool is_in_order(std::size_t i) const {
    const auto behind = behind_.find(i);
    return behind == behind_.end() || std::all_of(behind->second.begin(), behind->second.end(), [&](std::size_t o) {
             return orders_[o].first && done_[*orders_[o].first];
           });
  }

  // Between the two accesses of an order in hand that lets nothing come between.
  [[nodiscard]] bool comes_between(std::size_t i) const {
    const Event& e = events_[i];
    return std::any_of(open_.begin(), open_.end(), [&](std::size_t o) {
      if (orders_[o].second == i) return false;
      const Event& first = events_[*orders_[o].first];
      if (orders_[o].relation == ValueRelation::kHandsOn) {
        const LockChange change = lock_change(e);
        return (change.step == LockStep::kTake || change.step == LockStep::kTakeShared) &&
               change.place == lock_change(first).place;
      }
      return has_write_effect(e.kind, e.bits) && meets_both(e, first, orders_[o].second);
    });
  }
  // Bytes that both accesses touch: one of them may be wider.
  [[nodiscard]] bool meets_both(const Event& e, const Event& first, std::optional<std::size_t> second) const {
    std::uint64_t from = place_of(first);
    std::uint64_t end = from + first.size;
    if (second) {
      from = std::max(from, place_of(events_[*second]));
      end = std::min(end, place_of(events_[*second]) + events_[*second].size);
    }
    return from <= end && ranges_meet(place_of(e), e.size, from, end - from);
  }

  bool can_enter(const Event& e) {
    if (e.kind == OpKind::kCondReacquire && (e.bits & (kTimeout | kSpurious)) == 0 &&
        wakes_.waits(e.thread, place_of(e))) {
      return false;
    }
    const LockChange change = lock_change(e);
    if (change.step != LockStep::kTake && change.step != LockStep::kTakeShared) return true;
    const Lock& lock = locks_[change.place];
    if (change.step == LockStep::kTakeShared && lock.shared) return true;
    return lock.inside.empty() || (lock.inside.size() == 1 && lock.inside.count(e.thread) != 0);
  }

  void take(std::size_t i) {
    Event e = events_[i];
    if (e.kind == OpKind::kCondSignal) choose_waiter(e, i);
    if (e.kind == OpKind::kChoice) out_.alternatives.push_back(static_cast<std::uint32_t>(e.value));
    wakes_.add(e, i);
    const LockChange change = lock_change(e);
    Lock& lock = locks_[change.place];
    if (change.step == LockStep::kGiveBack) {
      if (lock.inside[e.thread] > 0) --lock.inside[e.thread];
      if (lock.inside[e.thread] == 0) lock.inside.erase(e.thread);
    } else if (change.step != LockStep::kNone) {
      ++lock.inside[e.thread];
      lock.shared = change.step == LockStep::kTakeShared;
      entered_[{change.place, e.thread}] = i;
    }
    done_[i] = true;
    open_.erase(std::remove_if(open_.begin(), open_.end(), [&](std::size_t o) { return orders_[o].second == i; }),
                open_.end());
    if (const auto opens = opens_.find(i); opens != opens_.end()) {
      for (const std::size_t o : opens->second) {
        const ValueRelation relation = orders_[o].relation;
        if (relation == ValueRelation::kDefines || relation == ValueRelation::kHandsOn) open_.push_back(o);
      }
    }
    put(e.thread);
  }

  // As the orders say, else as it was, else the first.
  void choose_waiter(Event& signal, std::size_t i) {
    const std::set<ThreadIndex>& waiters = wakes_.waiters(signal);
    if (waiters.empty()) {
      signal.value = kNoThread;
      return;
    }
    auto woken = static_cast<ThreadIndex>(signal.value);
    if (const auto opens = opens_.find(i); opens != opens_.end()) {
      for (const std::size_t o : opens->second) {
        if (orders_[o].relation == ValueRelation::kWakes) woken = orders_[o].woken;
      }
    }
    if (waiters.count(woken) == 0) woken = *waiters.begin();
    signal.value = woken;
    if (waiters.size() < 2) return;
    out_.alternatives.push_back(static_cast<std::uint32_t>(std::distance(waiters.begin(), waiters.find(woken))));
  }

  void put(ThreadIndex thread) {
    const auto until = static_cast<std::uint32_t>(++at_[thread]);
    if (!out_.turns.empty() && out_.turns.back().thread == thread) {
      out_.turns.back().count = until;
    } else {
      out_.turns.push_back({thread, until});
    }
  }

  // Nobody can go on. Who waits for a lock comes before the one who is inside and waits for an order. False: nobody.
  bool order_entry() {
    for (std::size_t t = 0; t < own_.size(); ++t) {
      if (at_[t] == own_[t].size()) continue;
      const std::size_t waits = own_[t][at_[t]];
      const LockChange change = lock_change(events_[waits]);
      if (change.step == LockStep::kNone || change.step == LockStep::kGiveBack || can_enter(events_[waits])) continue;
      for (const auto& [owner, times] : locks_[change.place].inside) {
        if (owner == t || at_[owner] == own_[owner].size() || is_in_order(own_[owner][at_[owner]])) continue;
        std::vector<std::size_t>& before = before_[entered_[{change.place, owner}]];
        if (std::find(before.begin(), before.end(), waits) != before.end()) continue;
        before.push_back(waits);
        return true;
      }
    }
    return false;
  }

  void list_free() {
    const auto add = [&](std::size_t thread) {
      const auto index = static_cast<ThreadIndex>(thread);
      if (std::find(out_.free.begin(), out_.free.end(), index) == out_.free.end()) out_.free.push_back(index);
    };
    const auto is_used_up = [&](std::size_t thread) {
      return thread < own_.size() && at_[thread] == own_[thread].size();
    };
    for (const WantedOrder& order : orders_) {
      if (!order.first && is_used_up(order.opener)) add(order.opener);
    }
    for (std::size_t t = 0; t < own_.size(); ++t) {
      if (is_used_up(t)) add(t);
    }
    for (std::size_t t = 0; t < own_.size(); ++t) {
      if (!is_used_up(t) && is_in_order(own_[t][at_[t]])) add(t);
    }
  }

  [[nodiscard]] std::size_t alternatives_before() const {
    WakeUps wakes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].kind == OpKind::kCondSignal && wakes.waiters(events_[i]).size() > 1) ++count;
      if (events_[i].kind == OpKind::kChoice) ++count;
      wakes.add(events_[i], i);
    }
    return count;
  }

  const std::vector<Event>& events_;
  const std::vector<WantedOrder>& orders_;
  std::vector<std::vector<std::size_t>> own_;                             // by thread: its events
  std::unordered_map<std::size_t, std::vector<std::size_t>> before_;      // events
  std::unordered_map<std::size_t, std::vector<std::size_t>> behind_;      // by event: orders that it is the second of
  std::unordered_map<std::size_t, std::vector<std::size_t>> opens_;       // ... the first
  std::vector<bool> done_;                                                // by event
  std::vector<std::size_t> at_;                                           // by thread
  std::unordered_map<std::uint64_t, Lock> locks_;                         // by place
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> entered_;  // by place and thread: the last event
  WakeUps wakes_;
  std::vector<std::size_t> open_;  // orders between whose accesses nothing may come
  OrderTurns out_;
};

}  // namespace

OrderTurns turns_for(const std::vector<Event>& events, const std::vector<WantedOrder>& orders) {
  return Turns(events, orders).run();
}

}  // namespace ravel

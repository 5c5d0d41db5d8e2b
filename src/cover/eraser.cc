// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// eraser: each access with the state that its variable was in before it and the candidate locks after it (`all' while
// the variable belongs to one thread). Savage et al., "Eraser", SOSP 1997, with von Praun and Gross' state exclusive'
// (the first change of owner is a hand-over). Read locks protect reads only.
#include <algorithm>

#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

using enum CoverWord;

class EraserMetric final : public Metric {
 public:
  EraserMetric(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), variables_(memory, kCoverVariables / 2) {}

  void begin() override { variables_.clear(); }
  void on_access(const Access& a) override {
    Variable* variable = variables_.get(a.variable);
    if (variable == nullptr) return;
    const CoverWord before = variable->state;
    move(*variable, a);
    const Atom state = word_atom(before);
    const bool all = variable->state == kExclusive;
    const Atom set = all ? word_atom(kAll) : set_of(*variable);
    emit(MetricId::kEraser, {a.place, state, set});
    emit(MetricId::kEraserStar, {a.place, a.name, state, set, thread(a.event.thread)});
  }
  [[nodiscard]] bool truncated() const override { return variables_.full(); }

 private:
  struct Variable {
    CoverWord state = kVirgin;
    std::uint32_t locks = 0;
    ThreadIndex owner = kNoThread;
    std::uint64_t lock[HeldLocks::kMost] = {};
  };

  static bool protects(const LockHold& lock, bool write) { return !write || !lock.shared; }

  void take_held(Variable& variable, const Access& a) const {
    variable.locks = 0;
    for (const LockHold& lock : services_.locks.of(a.event.thread)) {
      if (protects(lock, a.write)) variable.lock[variable.locks++] = lock.place;
    }
  }
  void refine(Variable& variable, const Access& a) const {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < variable.locks; ++i) {
      for (const LockHold& lock : services_.locks.of(a.event.thread)) {
        if (lock.place != variable.lock[i] || !protects(lock, a.write)) continue;
        variable.lock[kept++] = variable.lock[i];
        break;
      }
    }
    variable.locks = kept;
  }

  void move(Variable& variable, const Access& a) const {
    const bool same = variable.owner == a.event.thread;
    switch (variable.state) {
      case kVirgin:
        variable.state = kExclusive;
        variable.owner = a.event.thread;
        return;
      case kExclusive:
        if (same) return;
        variable.state = kExclusive2;
        variable.owner = a.event.thread;
        return take_held(variable, a);
      case kExclusive2:
        if (same) return;
        variable.state = a.write ? kModified : kShared;
        break;
      case kShared:
        if (a.write) variable.state = kModified;
        break;
      default:
        break;
    }
    refine(variable, a);
    if (variable.state == kModified && variable.locks == 0) variable.state = kRace;
  }

  Atom set_of(const Variable& variable) const {
    Atom members[HeldLocks::kMost];
    for (std::uint32_t i = 0; i < variable.locks; ++i) members[i] = services_.identity.lock(variable.lock[i]);
    std::sort(members, members + variable.locks);
    const Atom* end = std::unique(members, members + variable.locks);
    return services_.tasks.set_of({members, static_cast<std::size_t>(end - members)});
  }

  KeyedPool<Variable> variables_;
};

}  // namespace

Metric* create_eraser_metric(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<EraserMetric>(memory, services);
}

}  // namespace ravel

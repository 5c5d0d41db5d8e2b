// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// driving: what noise would turn round. (a) A thread accesses a variable at pl1 and the next access to it is another
// thread's at pl2; if the first held a lock, also with the place where it took its latest one. (b) A thread gives back
// a lock that it took at pl1, and another takes it at pl2.
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class Driving final : public Metric {
 public:
  Driving(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), variables_(memory, kCoverVariables), holders_(memory, 1u << 14) {}

  void begin() override {
    variables_.clear();
    holders_.clear();
  }
  void on_access(const Access& a) override {
    Past* past = variables_.get(a.variable);
    if (past == nullptr) return;
    const ThreadIndex t = a.event.thread;
    if (past->thread != kNoThread && past->thread != t) {
      emit(MetricId::kDriving, {past->who, past->place, thread(t), a.place});
      if (past->lock != 0) emit(MetricId::kDriving, {past->who, past->lock, thread(t), a.place});
    }
    const std::span<const LockHold> held = services_.locks.of(t);
    *past = {a.place, held.empty() ? Atom{0} : services_.identity.place(held.back().taken), thread(t), t};
  }
  void on_event(const Event& e, const Moment&) override {
    if (op_class(e.kind) != OpClass::kSync) return;
    const LockHold* taken = services_.locks.just_taken();
    if (taken == nullptr) return;
    Past* holder = holders_.get(taken->place);
    if (holder == nullptr) return;
    const Atom place = services_.identity.place(e);
    if (holder->thread != kNoThread && holder->thread != e.thread) {
      emit(MetricId::kDriving, {holder->who, holder->place, thread(e.thread), place});
    }
    *holder = {place, 0, thread(e.thread), e.thread};
  }
  [[nodiscard]] bool truncated() const override { return variables_.full() || holders_.full(); }

 private:
  struct Past {
    Atom place = 0;
    Atom lock = 0;
    Atom who = 0;
    ThreadIndex thread = kNoThread;
  };
  KeyedPool<Past> variables_;
  KeyedPool<Past> holders_;  // who took each lock last, and where
};

}  // namespace

Metric* create_driving(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<Driving>(memory, services);
}

}  // namespace ravel

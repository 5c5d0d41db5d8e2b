// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// goodlock: a lock is taken while others are held; one task for each of them, with the place where it was taken. Locks
// that a thread holds already are not taken again; a mutex that a condition wait gives back counts at the wait.
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class GoodLock final : public Metric {
 public:
  GoodLock(std::pmr::memory_resource&, const CoverServices& services) : Metric(services) {}

  void begin() override {}
  void on_event(const Event& e, const Moment&) override {
    if (op_class(e.kind) != OpClass::kSync) return;
    const LockHold* taken = services_.locks.just_taken();
    if (taken == nullptr) return;
    const std::span<const LockHold> held = services_.locks.of(e.thread);
    const Atom place = services_.identity.place(e);
    const Atom lock = services_.identity.lock(taken->place);
    for (std::size_t i = held.size(); i-- > 0;) {
      if (held[i].place == taken->place) continue;
      emit_pair(MetricId::kGoodLock,
                {services_.identity.place(held[i].taken), place, services_.identity.lock(held[i].place), lock},
                {thread(e.thread)});
    }
  }
};

}  // namespace

Metric* create_goodlock(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<GoodLock>(memory, services);
}

}  // namespace ravel

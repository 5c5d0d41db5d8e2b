// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// avio: a thread accesses a variable at pl1 and, as its next access to it, at pl2; another thread's access came between
// them, the last one at pl3. Whether the accesses read or write is no part of the task (the detector of the same name
// asks that).
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class AvioMetric final : public Metric {
 public:
  AvioMetric(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), variables_(memory, kCoverVariables), own_(memory, 2 * kCoverVariables) {}

  void begin() override {
    variables_.clear();
    own_.clear();
  }

  void on_access(const Access& a) override {
    Past* last = variables_.get(a.variable);
    if (last == nullptr) return;
    const ThreadIndex t = a.event.thread;
    const std::uint64_t key = std::uint64_t{variables_.number_of(a.variable)} << 32 | t;
    Past* before = own_.get(key);
    if (before == nullptr) return;
    // Where the last access is the thread's own, nothing came between.
    if (before->sequence != 0 && last->thread != t) {
      emit_pair(MetricId::kAvio, {before->place, a.place, last->place}, {a.name, thread(t), last->who});
    }
    *before = *last = {a.sequence + 1, a.place, thread(t), t};
  }
  void gap() override { begin(); }
  [[nodiscard]] bool truncated() const override { return variables_.full() || own_.full(); }

 private:
  struct Past {
    std::uint64_t sequence = 0;  // from 1; 0: none
    Atom place = 0;
    Atom who = 0;
    ThreadIndex thread = kNoThread;
  };
  KeyedPool<Past> variables_;  // the last access to each
  KeyedPool<Past> own_;        // ... of each thread
};

}  // namespace

Metric* create_avio(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<AvioMetric>(memory, services);
}

}  // namespace ravel

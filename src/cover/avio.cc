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
    Variable* variable = variables_.get(a.variable);
    if (variable == nullptr) return;
    const ThreadIndex t = a.event.thread;
    const std::uint64_t key = std::uint64_t{variables_.number_of(a.variable)} << 32 | t;
    Past* before = own_.get(key);
    if (before == nullptr) return;
    const Past& foreign = variable->last.thread != t ? variable->last : variable->other;
    if (before->sequence != 0 && foreign.sequence > before->sequence) {
      emit_pair(MetricId::kAvio, {before->place, a.place, foreign.place}, {a.name, thread(t), thread(foreign.thread)});
    }
    const Past now{a.sequence + 1, a.place, t};
    *before = now;
    if (variable->last.thread != t) variable->other = variable->last;
    variable->last = now;
  }
  [[nodiscard]] bool truncated() const override { return variables_.full() || own_.full(); }

 private:
  struct Past {
    std::uint64_t sequence = 0;  // from 1; 0: none
    Atom place = 0;
    ThreadIndex thread = kNoThread;
  };
  struct Variable {
    Past last;
    Past other;  // the last one by another thread than the last
  };
  KeyedPool<Variable> variables_;
  KeyedPool<Past> own_;  // each thread's last access to each variable
};

}  // namespace

Metric* create_avio(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<AvioMetric>(memory, services);
}

}  // namespace ravel

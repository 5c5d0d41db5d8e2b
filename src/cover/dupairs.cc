// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dupairs: a plain read with the last write of its variable, the thread's own included. What nobody has written has no
// task.
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class DuPairs final : public Metric {
 public:
  DuPairs(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), writes_(memory, kCoverVariables) {}

  void begin() override { writes_.clear(); }
  void on_access(const Access& a) override {
    if (a.write) {
      if (Write* write = writes_.get(a.variable)) *write = {a.place, thread(a.event.thread)};
      return;
    }
    const Write* write = writes_.find(a.variable);
    if (write == nullptr) return;
    emit_pair(MetricId::kDuPairs, {write->place, a.place, a.name}, {write->who, thread(a.event.thread)});
  }
  void gap() override { begin(); }
  [[nodiscard]] bool truncated() const override { return writes_.full(); }

 private:
  struct Write {
    Atom place = 0;
    Atom who = 0;
  };
  KeyedPool<Write> writes_;
};

}  // namespace

Metric* create_dupairs(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<DuPairs>(memory, services);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rf: a read, plain or atomic, with the place of the write that it saw; `init' where nobody had written.
#include "cover/metric.h"
#include "cover/metrics.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

class ReadsFromMetric final : public Metric {
 public:
  ReadsFromMetric(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), writes_(memory, kCoverVariables) {}

  void begin() override {
    writes_.clear();
    gapped_ = false;
  }
  void gap() override {
    writes_.clear();
    gapped_ = true;
  }
  void on_access(const Access& a) override {
    if (a.write) {
      write(a.variable, a.place);
    } else {
      read(a.variable, a.place);
    }
  }
  void on_event(const Event& e, const Moment&) override {
    if (!is_atomic_access(e.kind)) return;
    const Atom place = services_.identity.place(e);
    if (place == 0) return;
    if (has_read_effect(e.kind)) read(place_of(e), place);
    if (has_write_effect(e.kind, e.bits)) write(place_of(e), place);
  }
  [[nodiscard]] bool truncated() const override { return writes_.full(); }

 private:
  struct Write {
    Atom place = 0;
  };
  void write(std::uint64_t variable, Atom place) {
    if (Write* last = writes_.get(variable)) last->place = place;
  }
  void read(std::uint64_t variable, Atom place) {
    const Write* last = writes_.find(variable);
    if (last == nullptr && gapped_) return;
    emit(MetricId::kReadsFrom, {last == nullptr ? word_atom(CoverWord::kInit) : last->place, place});
  }
  KeyedPool<Write> writes_;
  bool gapped_ = false;  // who is not among the writes may have been written
};

}  // namespace

Metric* create_reads_from(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<ReadsFromMetric>(memory, services);
}

}  // namespace ravel

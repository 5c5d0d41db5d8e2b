// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// concurpairs: two events in a row, and whether the thread changed between them.
#include "cover/event_places.h"
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class ConcurPairs final : public Metric {
 public:
  ConcurPairs(std::pmr::memory_resource&, const CoverServices& services) : Metric(services) {}

  void begin() override {
    last_ = 0;
    sequence_ = 0;
  }
  void on_access(const Access& a) override {
    if (a.sequence + 1 == sequence_) return;  // another variable of the same event
    sequence_ = a.sequence + 1;
    step(a.place, a.event.thread);
  }
  void on_event(const Event& e, const Moment&) override {
    if (is_placed(e.kind)) step(services_.identity.place(e), e.thread);
  }

 private:
  void step(Atom place, ThreadIndex t) {
    if (place == 0) return;
    if (last_ != 0) {
      emit(MetricId::kConcurPairs, {last_, place, word_atom(t == thread_ ? CoverWord::kFalse : CoverWord::kTrue)});
    }
    last_ = place;
    thread_ = t;
  }
  Atom last_ = 0;
  ThreadIndex thread_ = kNoThread;
  std::uint64_t sequence_ = 0;
};

}  // namespace

Metric* create_concurpairs(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<ConcurPairs>(memory, services);
}

}  // namespace ravel

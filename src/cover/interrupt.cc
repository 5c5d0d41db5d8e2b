// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// interrupt: two events of a thread in a row within one call; either nothing came between them, or other threads did.
// The task holds the two places, of the interrupted event and of the last that came between (nothing: it was not
// interrupted); functions have names in the tool only, which makes (function, no | same | other) of it.
#include "cover/event_places.h"
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class Interrupt final : public Metric {
 public:
  Interrupt(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), threads_(memory, kCoverThreads) {}

  void begin() override {
    threads_.clear();
    last_ = {};
    clock_ = 0;
    sequence_ = 0;
    full_ = false;
  }
  void on_access(const Access& a) override {
    if (a.sequence + 1 == sequence_) return;
    sequence_ = a.sequence + 1;
    step(a.place, a.event);
  }
  void on_event(const Event& e, const Moment&) override {
    if (is_placed(e.kind)) step(services_.identity.place(e), e);
  }
  [[nodiscard]] bool truncated() const override { return full_; }

 private:
  struct Past {
    Atom place = 0;
    ContextId context = 0;
    ThreadIndex thread = kNoThread;
    std::uint64_t clock = 0;
  };
  void step(Atom place, const Event& e) {
    if (place == 0) return;
    const Past now{place, e.context, e.thread, ++clock_};
    Past* before = threads_.find(e.thread);
    if (before == nullptr && e.thread >= threads_.capacity()) {
      full_ = true;
      return;
    }
    if (before == nullptr) {
      threads_.insert(e.thread, now);
    } else {
      const bool alone = before->clock + 1 == now.clock;
      if (before->context == now.context) emit(MetricId::kInterrupt, {before->place, alone ? Atom{0} : last_.place});
      *before = now;
    }
    last_ = now;
  }
  SparseArray<Past> threads_;
  Past last_;
  std::uint64_t clock_ = 0;
  std::uint64_t sequence_ = 0;
  bool full_ = false;
};

}  // namespace

Metric* create_interrupt(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<Interrupt>(memory, services);
}

}  // namespace ravel

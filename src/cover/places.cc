// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// place: a place that was executed. A code metric, flat from the first executions on: what the others are compared
// with.
#include "cover/event_places.h"
#include "cover/metric.h"
#include "cover/metrics.h"

namespace ravel {
namespace {

class Places final : public Metric {
 public:
  Places(std::pmr::memory_resource&, const CoverServices& services) : Metric(services) {}

  void begin() override {}
  void on_access(const Access& a) override { emit(MetricId::kPlace, {a.place}); }
  void on_event(const Event& e, const Moment&) override {
    const Atom place = is_placed(e.kind) ? services_.identity.place(e) : 0;
    if (place != 0) emit(MetricId::kPlace, {place});
  }
};

}  // namespace

Metric* create_places(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<Places>(memory, services);
}

}  // namespace ravel

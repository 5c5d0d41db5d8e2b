// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/causes.h"

#include <algorithm>

namespace ravel {
namespace {

std::uint64_t last_sequence(const DetectionRecord& found) {
  std::uint64_t last = 0;
  for (unsigned i = 0; i < found.roles; ++i) last = std::max(last, found.role[i].sequence);
  return last;
}

bool failing_thread_saw(const ExecutionRecord& record, const DetectionRecord& found) {
  for (unsigned i = 0; i < found.roles; ++i) {
    if (found.role[i].event.thread == record.thread) return true;
  }
  const std::uint64_t after = last_sequence(found);
  const std::uint64_t first = record.first_sequence();
  for (std::size_t i = after < first ? 0 : after - first; i < record.events.size(); ++i) {
    const Event& event = record.events[i];
    if (event.thread != record.thread || event.object == 0) continue;
    for (unsigned k = 0; k < found.roles; ++k) {
      if (place_of(found.role[k].event) == place_of(event)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<const DetectionRecord*> likely_causes(const ExecutionRecord& record) {
  std::vector<const DetectionRecord*> causes;
  for (const DetectionRecord& found : record.detections) {
    if (found.kind == OutcomeKind::kPotentialDeadlock || found.roles == 0) continue;
    if (failing_thread_saw(record, found)) causes.push_back(&found);
  }
  std::stable_sort(causes.begin(), causes.end(), [](const DetectionRecord* a, const DetectionRecord* b) {
    return last_sequence(*a) > last_sequence(*b);
  });
  if (causes.size() > kMaxCauses) causes.resize(kMaxCauses);
  return causes;
}

}  // namespace ravel

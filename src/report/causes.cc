// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/causes.h"

#include <algorithm>

#include "detect/detector_table.h"

namespace ravel {
namespace {

std::uint64_t last_sequence(const DetectionRecord& found) {
  std::uint64_t last = 0;
  for (unsigned i = 0; i < found.roles; ++i) last = std::max(last, found.role[i].sequence);
  return last;
}

// What surely is a defect before what may be intended; sections that do not match come last, they match rarely.
int rank(const DetectionRecord& found) {
  if (found.detector >= detector_table().size()) return 3;
  const DetectorRow& row = detector_table()[found.detector];
  if (row.precise) return 0;
  return row.id == DetectorId::kViews ? 2 : 1;
}

// Threads that wait for ever do not look at what came out wrong.
bool may_cause(OutcomeKind cause, OutcomeKind failure) {
  if (cause == OutcomeKind::kPotentialDeadlock) return false;
  const bool about_memory = cause == OutcomeKind::kAtomicityViolation || cause == OutcomeKind::kOrderViolation;
  return !(about_memory && (failure == OutcomeKind::kDeadlock || failure == OutcomeKind::kStepLimit));
}

bool has_failed(const ExecutionRecord& record, ThreadIndex thread) {
  if (record.outcome != OutcomeKind::kDeadlock) return thread == record.thread;
  return std::any_of(record.waiting.begin(), record.waiting.end(),
                     [&](const WaitingRecord& waiting) { return waiting.thread == thread; });
}

bool is_precise(const DetectionRecord& found) {
  return rank(found) == 0;
}

// Nobody fails where threads wait or go round for ever: each of them counts.
bool waiting_thread_saw(const ExecutionRecord& record, const DetectionRecord& found) {
  for (const WaitingRecord& waiting : record.waiting) {
    for (unsigned i = 0; i < found.roles; ++i) {
      if (found.role[i].event.thread == waiting.thread) return true;
    }
  }
  return false;
}

bool failing_thread_saw(const ExecutionRecord& record, const DetectionRecord& found) {
  for (unsigned i = 0; i < found.roles; ++i) {
    if (has_failed(record, found.role[i].event.thread)) return true;
  }
  const std::uint64_t after = last_sequence(found);
  const std::uint64_t first = record.first_sequence();
  for (std::size_t i = after < first ? 0 : after - first; i < record.events.size(); ++i) {
    const Event& event = record.events[i];
    if (event.object == 0 || !has_failed(record, event.thread)) continue;
    for (unsigned k = 0; k < found.roles; ++k) {
      if (place_of(found.role[k].event) == place_of(event)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<const DetectionRecord*> likely_causes(const ExecutionRecord& record) {
  std::vector<const DetectionRecord*> causes;
  const bool stuck = record.outcome == OutcomeKind::kDeadlock || record.outcome == OutcomeKind::kStepLimit;
  for (const DetectionRecord& found : record.detections) {
    if (!may_cause(found.kind, record.outcome) || found.roles == 0) continue;
    const bool saw = stuck ? waiting_thread_saw(record, found) : failing_thread_saw(record, found);
    if (saw) causes.push_back(&found);
  }
  std::stable_sort(causes.begin(), causes.end(), [](const DetectionRecord* a, const DetectionRecord* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return last_sequence(*a) > last_sequence(*b);
  });
  // What is certain needs no guesses beside it.
  if (stuck && !causes.empty() && is_precise(*causes[0])) {
    causes.erase(std::find_if_not(causes.begin(), causes.end(), [](const auto* cause) { return is_precise(*cause); }),
                 causes.end());
  }
  if (causes.size() > kMaxCauses) causes.resize(kMaxCauses);
  return causes;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/draw_timeline.h"

#include "report/sequence_races.h"

namespace ravel {

std::shared_ptr<const Timeline> draw_timeline(Names& names, const ReplayOptions& replay) {
  const ExecutionRecord& record = names.record();
  const OutcomeKind end = record.outcome;
  // One that hangs would cost the whole patience again.
  const bool ends = end != OutcomeKind::kHang && end != OutcomeKind::kCut && end != OutcomeKind::kKilled;
  if (!ends || replay.deadline.passed()) return make_timeline(names);
  ReplayOptions again = replay;
  again.program.pass_output = false;
  again.repeat = 1;
  again.export_fd = -1;
  auto steps = replay_with_steps(again);
  // More accesses are recorded, so the traces differ; make_timeline() compares the events of the sequence.
  if (!steps || steps->result.record.outcome != end) return make_timeline(names);
  Names same(steps->result.record, names.symbolizer());
  auto races = sequence_races(same, *steps, again.plan);
  return make_timeline(names, races && races->note.empty() ? &*races : nullptr);
}

}  // namespace ravel

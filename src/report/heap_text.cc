// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/heap_text.h"

#include <fmt/format.h>

namespace ravel {
namespace {

constexpr std::size_t kShownFrames = 8;

void add_step(Names& names, std::string_view what, const HeapStep& step, HeapReport& report) {
  report.threads.push_back(step.thread);
  report.lines.push_back(fmt::format("{} by {} at {}", what, names.thread_title(step.thread),
                                     names.place_text(step.location, step.context)));
  for (const std::string& frame : names.user_stack(step.location, step.context, kShownFrames)) {
    report.lines.push_back("  in " + frame);
  }
}

}  // namespace

HeapReport explain_heap(Names& names) {
  const ExecutionRecord& record = names.record();
  const HeapRecord& heap = record.heap;
  HeapReport report;
  add_step(names, record.outcome == OutcomeKind::kDoubleFree ? "freed again" : "used",
           {record.thread, record.location, record.context}, report);
  if (heap.size == 0 && heap.allocated.location == 0) return report;  // on a stack: nothing else is known
  if (heap.freed.location != 0 || record.outcome != OutcomeKind::kHeapOverflow) {
    add_step(names, "freed", heap.freed, report);
  }
  add_step(names, fmt::format("{} bytes allocated", heap.size), heap.allocated, report);
  return report;
}

}  // namespace ravel

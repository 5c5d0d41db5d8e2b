// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomics and fences, C++20 [intro.races], [atomics.order], [atomics.fences]. Executions are sequentially consistent,
// so a load reads the last store in the trace, and the release sequence of a value is the last store and the
// read-modify-writes since. A relaxed store starts no release sequence (since C++20 not even by the releasing thread
// itself), but it publishes what a release fence before it covered.
#include "causality/causality.h"

namespace ravel {

void Causality::fence(ThreadState& t, int order) {
  if (options_.without_fences) return;
  if (is_acquire(order)) clocks_.join(t.clock, t.relaxed_reads);
  if (is_release(order)) {
    clocks_.assign(t.release_fence, t.clock);
    t.released = true;
  }
}

void Causality::atomic(ThreadState& t, const Event& e) {
  const int order = e.order();
  SyncPlace* p = place(place_of(e));
  if (p == nullptr) return;
  if (e.kind != OpKind::kAtomicStore) read_part(t, *p, order);
  if (e.kind == OpKind::kAtomicLoad || (e.kind == OpKind::kAtomicCas && e.failed())) return;

  const bool begins = e.kind == OpKind::kAtomicStore || options_.without_release_sequences;
  if (!is_release(order)) {
    if (begins) clocks_.drop(p->released);
    if (t.release_fence == 0) return;
    clocks_.join(p->released, t.release_fence);
    p->by = {};
    return;
  }
  // What was released before is in the clock of who has acquired it.
  const bool has_all = begins || p->released == 0 || is_acquire(order);
  if (has_all) {
    clocks_.assign(p->released, t.clock);
  } else {
    clocks_.join(p->released, t.clock);
  }
  p->by = has_all ? Epoch{t.slot, t.tick} : Epoch{};
  t.released = true;
}

}  // namespace ravel

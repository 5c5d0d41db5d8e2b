// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/library_state.h"

#include "runtime/record/library_words.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/world/identity.h"

namespace ravel::rt {

namespace {

// Nobody else can have a part in it otherwise. A child that shares our memory is no thread of ours.
bool is_shared() {
  return g.in_control && others_may_run() && is_controlled_process();
}

std::uint64_t& pass_point(OpKind kind, LibraryState state, LocationId location) {
  std::uint64_t& word = g_library_words.changes(state);
  Pending pending;
  pending.set({kind, __ATOMIC_RELAXED, sizeof word, location, reinterpret_cast<std::uintptr_t>(&word), 0});
  point(pending);
  return word;
}

}  // namespace

void change_library_state(LibraryState state, LocationId location) {
  if (!is_shared()) return;
  std::uint64_t& word = pass_point(OpKind::kAtomicRmw, state, location);
  set_operand(word + 1);
  record_pending(0, word);
  ++word;
}

void read_library_state(LibraryState state, LocationId location) {
  if (!is_shared()) return;
  record_pending(0, pass_point(OpKind::kAtomicLoad, state, location));
}

void change_setting(LocationId location) {
  if (!is_shared()) return;
  Pending pending;
  pending.kind = OpKind::kSetting;
  pending.location = location;
  point(pending);
  record_pending(0, 0);
}

}  // namespace ravel::rt

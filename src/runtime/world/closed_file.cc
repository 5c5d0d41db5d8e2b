// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/closed_file.h"

#include "runtime/state/state.h"
#include "runtime/world/identity.h"
#include "runtime/world/lock_word.h"
#include "runtime/world/open_files.h"

namespace ravel::rt {

namespace {

LockWord records_word(unsigned file, LocationId location) {
  return LockWord::of_records(file, __ATOMIC_RELEASE, location);
}

}  // namespace

ClosedFile::ClosedFile(int descriptor, LocationId location)
    : descriptor_(descriptor), location_(location), whole_(kFileLocks), records_(kFileLocks) {
  if (descriptor < 0 || (g_whole_locks.empty() && g_record_locks.empty())) return;
  if (!g.in_control || !is_controlled_process()) return;
  const unsigned file = file_behind(descriptor);
  if (file == kFileLocks) return;
  const std::uint32_t open_file = known_open_file_of(descriptor);
  if (open_file != 0 && g_whole_locks.has({file, open_file})) whole_ = file;
  if ((open_file != 0 && g_record_locks.has({file, open_file})) || g_record_locks.has({file, LockOwner::kProcess})) {
    records_ = file;
  }
  // Whoever gets a lock gets it behind this.
  if (whole_ != kFileLocks) LockWord::of_whole(whole_, location).change();
  if (records_ != kFileLocks) records_word(records_, location).change();
}

void ClosedFile::end(bool closed) const {
  if (!closed) return;
  const std::uint32_t open_file = known_open_file_of(descriptor_);
  forget_descriptor(descriptor_);
  const bool was_last = open_file != 0 && !has_descriptor(open_file);
  // Those who tried in between wait for another count than this.
  if (whole_ != kFileLocks && was_last && g_whole_locks.set({whole_, open_file}, {}, LockShare::kNone)) {
    const LockWord word = LockWord::of_whole(whole_, location_);
    word.change();
    word.wake_all();
  }
  if (records_ == kFileLocks) return;
  const bool of_open_file = was_last && g_record_locks.set({records_, open_file}, {}, LockShare::kNone);
  const bool of_process = g_record_locks.set({records_, LockOwner::kProcess}, {}, LockShare::kNone);
  if (!of_open_file && !of_process) return;
  const LockWord word = records_word(records_, location_);
  word.change();
  word.wake_all();
}

}  // namespace ravel::rt

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/lock_word.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "runtime/fiber/home.h"
#include "runtime/record/library_words.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/virtual_futex.h"

namespace ravel::rt {

FileLocks g_whole_locks;
FileLocks g_record_locks;

namespace {

constexpr std::uint32_t kAnyBit = ~std::uint32_t{0};

struct KnownFile {
  dev_t device;
  ino_t number;
};
KnownFile files[kFileLocks];
unsigned known_files = 0;

}  // namespace

unsigned file_behind(int descriptor) {
  struct stat status;
  if (call_for_program(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) < 0) return kFileLocks;
  for (unsigned i = 0; i < known_files; ++i) {
    if (files[i].device == status.st_dev && files[i].number == status.st_ino) return i;
  }
  if (known_files == kFileLocks) return kFileLocks - 1;
  files[known_files] = {status.st_dev, status.st_ino};
  return known_files++;
}

LockWord LockWord::of_whole(unsigned file, LocationId location) {
  return {g_library_words.file_locks[file], __ATOMIC_ACQ_REL, location};
}

LockWord LockWord::of_records(unsigned file, int order, LocationId location) {
  return {g_library_words.record_locks[file], order, location};
}

std::uint32_t LockWord::pass_point(bool cancellable) const {
  Pending pending;
  pending.set({OpKind::kAtomicRmw, static_cast<std::uint8_t>(order_), sizeof word_, location_,
               reinterpret_cast<std::uintptr_t>(&word_), 0});
  pending.cancellable = cancellable;
  point(pending);
  return word_;
}

void LockWord::record(bool changes) const {
  const std::uint32_t before = word_;
  if (changes) ++word_;
  set_operand(word_);
  record_pending(0, before);
}

void LockWord::look() const {
  Pending pending;
  pending.set(
      {OpKind::kAtomicLoad, __ATOMIC_ACQUIRE, sizeof word_, location_, reinterpret_cast<std::uintptr_t>(&word_), 0});
  point(pending);
  record_pending(0, word_);
}

void LockWord::wake_all() const {
  (void)futex_wake(&word_, INT_MAX, kAnyBit, location_);
}

long LockWord::wait(std::uint32_t seen, bool cancellable) const {
  FutexWait call{&word_, seen};
  call.interruption = Interruption::kRestart;
  call.cancellable = cancellable;
  return futex_wait(call, location_) == -EINTR ? -EINTR : 0;
}

}  // namespace ravel::rt

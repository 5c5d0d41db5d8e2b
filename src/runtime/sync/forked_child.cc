// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/forked_child.h"

#include <errno.h>
#include <sys/mman.h>

#include <atomic>

#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/virtual_mutex.h"

namespace ravel::rt {

namespace {

// Shared by the parent and all its children.
struct Report {
  std::atomic<std::uint32_t> stuck{0};
  LocationId location = 0;
  bool own = false;  // the thread that forked holds it itself
};
Report* report = nullptr;
bool alone_in_child = false;
ThreadIndex forked_by = kNoThread;

constexpr int kSharedKind = 128;  // PTHREAD_PROCESS_SHARED, as the C library marks it
constexpr int kExitOfStuck = 70;

// A lock of glibc has the owner's number there, one of the parent a place in its code.
bool is_own(const pthread_mutex_t* m) {
  return m->__data.__owner == raw_syscall(SYS_gettid);
}

bool is_stuck(pthread_mutex_t* m) {
  const int kind = m->__data.__kind;
  return m->__data.__lock != 0 && (kind & kSharedKind) == 0 &&
         (mutex_type_of_kind(kind) == MutexType::kNormal || !is_own(m));
}

}  // namespace

void begin_fork(LocationId location) {
  if (others_may_run()) {
    Pending pending;
    pending.kind = OpKind::kFork;
    pending.location = location;
    point(pending);
    record_pending(0, 0);
  }
  forked_by = g.current->index;
  if (report != nullptr) return;
  const long page = raw_syscall(SYS_mmap, 0, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page > 0) report = new (reinterpret_cast<void*>(page)) Report;
}

void enter_child() {
  alone_in_child = report != nullptr;
}

void note_thread_of_child() {
  alone_in_child = false;
}

int lock_outside(pthread_mutex_t* m, LocationId location) {
  if (!alone_in_child || !is_stuck(m)) return real().pthread_mutex_lock(m);
  report->location = location;
  report->own = is_own(m) || owner(state_of(m)) == forked_by;
  report->stuck.store(1, std::memory_order_release);
  raw_syscall(SYS_exit_group, kExitOfStuck);
  return EDEADLK;
}

void look_at_children() {
  if (report == nullptr || report->stuck.load(std::memory_order_acquire) == 0) return;
  finish_misuse(report->own ? "mutex locked in a child of fork that held it already"
                            : "mutex locked in a child of fork, and another thread held it at the fork",
                report->location);
}

}  // namespace ravel::rt

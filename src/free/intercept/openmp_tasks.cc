// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Tasks of libgomp: from who creates one to its beginning, and from its end to whoever waits for it.
#include <cstring>

#include "free/intercept/openmp.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

using Body = void(void*);
using Copy = void(void*, void*);

constexpr unsigned kDepends = 8;  // of the flags of GOMP_task

// Stands before the task's argument, in the memory that libgomp keeps for it.
struct Task {
  Body* body;
  Copy* copy;  // nullptr: the argument is bytes
  void* argument;
  long bytes;
  long offset;  // of the argument
  Team* team;
  const void* parent;
  bool depends;
};

void copy_task(void* to, void* from) {
  const Task& task = *static_cast<Task*>(from);
  *static_cast<Task*>(to) = task;
  void* const argument = static_cast<char*>(to) + task.offset;
  if (task.copy != nullptr) {
    task.copy(argument, task.argument);
  } else {
    std::memcpy(argument, task.argument, static_cast<std::size_t>(task.bytes));
  }
}

// The creator names the order by the task that it runs; who waits for its children takes from the same.
void run_task(void* place) {
  Task& task = *static_cast<Task*>(place);
  const std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(task.body);
  const InTeam outer = t_in_team;
  t_in_team = {task.team, outer.barriers, &task};
  take(address_of(task.parent) + 1, pc);
  if (task.depends) take(order_of(task.team, TeamOrder::kTasks), pc);
  Team* const team = task.team;
  const void* const parent = task.parent;
  task.body(static_cast<char*>(place) + task.offset);
  give(address_of(parent) + 2, pc);
  give(order_of(team, TeamOrder::kTasks), pc);
  t_in_team = outer;
}

const void* current_task() {
  return t_in_team.task != nullptr ? t_in_team.task : static_cast<const void*>(&t_in_team);
}

}  // namespace

RAVEL_FREE_EXPORT void GOMP_task(Body* body, void* data, Copy* copy, long bytes, long alignment, bool deferred,
                                 unsigned flags, void** depend, int priority, void* detach) {
  const auto real = RAVEL_LIBGOMP(GOMP_task);
  if (!is_traced()) return real(body, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  const long least = alignof(Task);
  const long aligned = alignment > least ? alignment : least;
  const long offset = (static_cast<long>(sizeof(Task)) + aligned - 1) / aligned * aligned;
  Task task{body, copy, data, bytes, offset, t_in_team.team, current_task(), (flags & kDepends) != 0};
  give(address_of(current_task()) + 1, pc);
  real(run_task, &task, copy_task, offset + bytes, aligned, deferred, flags, depend, priority, detach);
}

// libgomp writes the bounds of each part to the beginning of its argument: there is no room for a word of ours.
RAVEL_FREE_EXPORT void GOMP_taskloop(Body* body, void* data, Copy* copy, long bytes, long alignment, unsigned flags,
                                     unsigned long tasks, int priority, long begin, long end, long step) {
  leave_gap();
  RAVEL_LIBGOMP(GOMP_taskloop)(body, data, copy, bytes, alignment, flags, tasks, priority, begin, end, step);
}
RAVEL_FREE_EXPORT void GOMP_taskloop_ull(Body* body, void* data, Copy* copy, long bytes, long alignment, unsigned flags,
                                         unsigned long tasks, int priority, unsigned long long begin,
                                         unsigned long long end, unsigned long long step) {
  leave_gap();
  RAVEL_LIBGOMP(GOMP_taskloop_ull)(body, data, copy, bytes, alignment, flags, tasks, priority, begin, end, step);
}

RAVEL_FREE_EXPORT void GOMP_taskwait() {
  RAVEL_LIBGOMP(GOMP_taskwait)();
  take(address_of(current_task()) + 2, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void GOMP_taskwait_depend(void** depend) {
  RAVEL_LIBGOMP(GOMP_taskwait_depend)(depend);
  take(order_of(t_in_team.team, TeamOrder::kTasks), RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void GOMP_taskgroup_end() {
  RAVEL_LIBGOMP(GOMP_taskgroup_end)();
  take(order_of(t_in_team.team, TeamOrder::kTasks), RAVEL_FREE_CALLER);
}

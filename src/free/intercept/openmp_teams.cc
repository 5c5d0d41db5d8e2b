// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parallel regions of libgomp, their barriers, and what else orders the threads of a team.
#include "free/intercept/openmp.h"

using namespace ravel;
using namespace ravel::fr;

namespace ravel::fr {

thread_local InTeam t_in_team __attribute__((tls_model("initial-exec")));
Team g_outside = {};

}  // namespace ravel::fr

namespace {

using Body = void(void*);

// In place of the region's function, in each of its threads.
void run_body(void* argument) {
  Team& team = *static_cast<Team*>(argument);
  const std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(team.body);
  const InTeam outer = t_in_team;
  t_in_team = {&team, 0, &outer};  // an address of this thread's own: that of its implicit task
  take(order_of(&team, TeamOrder::kBegin), pc);
  team.body(team.data);
  give(order_of(&team, TeamOrder::kEnd), pc);
  t_in_team = outer;
}

template <class Region>
auto run_region(Body* body, void* data, std::uintptr_t pc, Region region) {
  Team team{body, data};
  struct Behind {
    Team& team;
    std::uintptr_t pc;
    ~Behind() {
      take(order_of(&team, TeamOrder::kEnd), pc);
      take(order_of(&team, TeamOrder::kTasks), pc);
    }
  } behind{team, pc};
  give(order_of(&team, TeamOrder::kBegin), pc);
  return region(&team);
}

// Every function at whose end the team meets.
template <class Barrier>
auto meet(std::uintptr_t pc, Barrier barrier) {
  const TeamOrder order = t_in_team.barriers++ % 2 == 0 ? TeamOrder::kEvenBarrier : TeamOrder::kOddBarrier;
  struct Behind {
    TeamOrder order;
    std::uintptr_t pc;
    ~Behind() {
      take(order_of(t_in_team.team, order), pc);
      take(order_of(t_in_team.team, TeamOrder::kTasks), pc);
    }
  } behind{order, pc};
  give(order_of(t_in_team.team, order), pc);
  return barrier();
}

int no_try() {
  return 1;
}

// `key` stands for a lock that is libgomp's own.
template <class Lock>
void lock_own(const void* key, std::uintptr_t pc, Lock lock) {
  lock_with({OpKind::kMutexLock, key, pc}, false, no_try, [lock] { return lock(), 0; });
}
template <class Unlock>
void unlock_own(const void* key, std::uintptr_t pc, Unlock unlock) {
  unlock_with({OpKind::kMutexUnlock, key, pc}, [unlock] { return unlock(), 0; });
}

char g_critical;
char g_atomic;

}  // namespace

RAVEL_FREE_EXPORT void GOMP_parallel(Body* body, void* data, unsigned threads, unsigned flags) {
  const auto real = RAVEL_LIBGOMP(GOMP_parallel);
  run_region(body, data, RAVEL_FREE_CALLER, [=](Team* team) { real(run_body, team, threads, flags); });
}

RAVEL_FREE_EXPORT unsigned GOMP_parallel_reductions(Body* body, void* data, unsigned threads, unsigned flags) {
  // It looks into `data`, which is why the body keeps its own argument: nothing is known of its beginning then.
  leave_gap();
  return RAVEL_LIBGOMP(GOMP_parallel_reductions)(body, data, threads, flags);
}

RAVEL_FREE_EXPORT void GOMP_parallel_sections(Body* body, void* data, unsigned threads, unsigned count,
                                              unsigned flags) {
  const auto real = RAVEL_LIBGOMP(GOMP_parallel_sections);
  run_region(body, data, RAVEL_FREE_CALLER, [=](Team* team) { real(run_body, team, threads, count, flags); });
}

#define RAVEL_PARALLEL_LOOP(name)                                                                                    \
  RAVEL_FREE_EXPORT void name(Body* body, void* data, unsigned threads, long begin, long end, long step, long chunk, \
                              unsigned flags) {                                                                      \
    const auto real = RAVEL_LIBGOMP(name);                                                                           \
    run_region(body, data, RAVEL_FREE_CALLER,                                                                        \
               [=](Team* team) { real(run_body, team, threads, begin, end, step, chunk, flags); });                  \
  }
RAVEL_PARALLEL_LOOP(GOMP_parallel_loop_static)
RAVEL_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
RAVEL_PARALLEL_LOOP(GOMP_parallel_loop_guided)
RAVEL_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
RAVEL_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define RAVEL_PARALLEL_LOOP_AT_RUN_TIME(name)                                                            \
  RAVEL_FREE_EXPORT void name(Body* body, void* data, unsigned threads, long begin, long end, long step, \
                              unsigned flags) {                                                          \
    const auto real = RAVEL_LIBGOMP(name);                                                               \
    run_region(body, data, RAVEL_FREE_CALLER,                                                            \
               [=](Team* team) { real(run_body, team, threads, begin, end, step, flags); });             \
  }
RAVEL_PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_runtime)
RAVEL_PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_nonmonotonic_runtime)
RAVEL_PARALLEL_LOOP_AT_RUN_TIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define RAVEL_TEAM_MEETS(result, name)                   \
  RAVEL_FREE_EXPORT result name() {                      \
    return meet(RAVEL_FREE_CALLER, RAVEL_LIBGOMP(name)); \
  }
RAVEL_TEAM_MEETS(void, GOMP_barrier)
RAVEL_TEAM_MEETS(bool, GOMP_barrier_cancel)
RAVEL_TEAM_MEETS(void, GOMP_loop_end)
RAVEL_TEAM_MEETS(bool, GOMP_loop_end_cancel)
RAVEL_TEAM_MEETS(void, GOMP_sections_end)
RAVEL_TEAM_MEETS(bool, GOMP_sections_end_cancel)

// copyprivate: null for the one that runs the block, what it has to give for the others.
RAVEL_FREE_EXPORT void* GOMP_single_copy_start() {
  void* const copied = RAVEL_LIBGOMP(GOMP_single_copy_start)();
  if (copied != nullptr) take(order_of(t_in_team.team, TeamOrder::kCopied), RAVEL_FREE_CALLER);
  return copied;
}
RAVEL_FREE_EXPORT void GOMP_single_copy_end(void* data) {
  give(order_of(t_in_team.team, TeamOrder::kCopied), RAVEL_FREE_CALLER);
  RAVEL_LIBGOMP(GOMP_single_copy_end)(data);
}

RAVEL_FREE_EXPORT void GOMP_ordered_start() {
  RAVEL_LIBGOMP(GOMP_ordered_start)();
  take(order_of(t_in_team.team, TeamOrder::kOrdered), RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void GOMP_ordered_end() {
  give(order_of(t_in_team.team, TeamOrder::kOrdered), RAVEL_FREE_CALLER);
  RAVEL_LIBGOMP(GOMP_ordered_end)();
}
// Its partner takes any number of arguments and cannot be taken over.
RAVEL_FREE_EXPORT void GOMP_doacross_post(long* counts) {
  leave_gap();
  RAVEL_LIBGOMP(GOMP_doacross_post)(counts);
}

RAVEL_FREE_EXPORT void GOMP_critical_start() {
  lock_own(&g_critical, RAVEL_FREE_CALLER, RAVEL_LIBGOMP(GOMP_critical_start));
}
RAVEL_FREE_EXPORT void GOMP_critical_end() {
  unlock_own(&g_critical, RAVEL_FREE_CALLER, RAVEL_LIBGOMP(GOMP_critical_end));
}
RAVEL_FREE_EXPORT void GOMP_critical_name_start(void** name) {
  const auto real = RAVEL_LIBGOMP(GOMP_critical_name_start);
  lock_own(name, RAVEL_FREE_CALLER, [=] { real(name); });
}
RAVEL_FREE_EXPORT void GOMP_critical_name_end(void** name) {
  const auto real = RAVEL_LIBGOMP(GOMP_critical_name_end);
  unlock_own(name, RAVEL_FREE_CALLER, [=] { real(name); });
}
RAVEL_FREE_EXPORT void GOMP_atomic_start() {
  lock_own(&g_atomic, RAVEL_FREE_CALLER, RAVEL_LIBGOMP(GOMP_atomic_start));
}
RAVEL_FREE_EXPORT void GOMP_atomic_end() {
  unlock_own(&g_atomic, RAVEL_FREE_CALLER, RAVEL_LIBGOMP(GOMP_atomic_end));
}

RAVEL_FREE_EXPORT int omp_test_lock(void* lock) {
  const auto real = RAVEL_LIBGOMP(omp_test_lock);
  return try_with({OpKind::kMutexTryLock, lock, RAVEL_FREE_CALLER}, [=] { return real(lock) != 0 ? 0 : 1; }) == 0;
}
RAVEL_FREE_EXPORT void omp_set_lock(void* lock) {
  const auto real = RAVEL_LIBGOMP(omp_set_lock);
  const auto test = RAVEL_LIBGOMP(omp_test_lock);
  lock_with(
      {OpKind::kMutexLock, lock, RAVEL_FREE_CALLER}, false, [=] { return test(lock) != 0 ? 0 : 1; },
      [=] { return real(lock), 0; });
}
RAVEL_FREE_EXPORT void omp_unset_lock(void* lock) {
  const auto real = RAVEL_LIBGOMP(omp_unset_lock);
  unlock_own(lock, RAVEL_FREE_CALLER, [=] { real(lock); });
}
// Nested ones: only the orders.
RAVEL_FREE_EXPORT int omp_test_nest_lock(void* lock) {
  const int count = RAVEL_LIBGOMP(omp_test_nest_lock)(lock);
  if (count != 0) take(address_of(lock), RAVEL_FREE_CALLER);
  return count;
}
RAVEL_FREE_EXPORT void omp_set_nest_lock(void* lock) {
  RAVEL_LIBGOMP(omp_set_nest_lock)(lock);
  take(address_of(lock), RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void omp_unset_nest_lock(void* lock) {
  give(address_of(lock), RAVEL_FREE_CALLER);
  RAVEL_LIBGOMP(omp_unset_nest_lock)(lock);
}

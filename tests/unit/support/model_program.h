// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A toy machine for tests: threads are short lists of operations on a few objects, and src/semantics says what is
// enabled and what it does. Small enough to try every interleaving, so it is the judge of the dependence table, of
// counts of traces and of the policies' probabilities.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "semantics/barrier.h"
#include "semantics/condvar.h"
#include "semantics/message.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/operation_view.h"
#include "semantics/phase.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"

namespace ravel::toy {

inline constexpr unsigned kThreads = 8;
inline constexpr unsigned kMutexes = 5;
inline constexpr unsigned kObjects = 4;  // of each other sort
inline constexpr unsigned kRegisters = 3;
inline constexpr unsigned kBytes = 24;  // memory; a futex word is four bytes of it

// What a step does to the flow of its thread.
enum class Flow : std::uint8_t {
  kNext,
  kEndIfZero,        // the thread ends if the value read is zero
  kRepeatWhileZero,  // a spin loop on the value read
  kSkipIfFailed,     // passes over `skip` further steps if the operation failed
  kSkipUnlessEqual,  // ... if the value read is not `value`
};

struct Step {
  OpKind kind = OpKind::kNone;
  std::uint32_t at = 0;      // which object; for memory and futexes the byte; for create/join the thread
  std::uint32_t second = 0;  // mutex of a wait, port of a call, rules of a message that travels, inbox that a queue is
                             // enlisted at, SelectMode
  std::uint32_t size = 1;    // bytes of an access
  std::uint32_t value = 0;   // stored, added, expected (CAS, futex), number to wake, alternatives of a choice, ports
                             // that are open, phase that is waited for, bit of a queue
  std::uint32_t desired = 0;
  std::uint32_t reg = kRegisters;  // register that takes the value read
  std::uint32_t sum = 0;           // store: registers (bit mask) added to `value`
  MutexType type = MutexType::kNormal;
  bool timed = false;          // the wait or lock may also end by time-out
  std::uint32_t duration = 0;  // until then, or of a sleep, where time is fair
  Flow flow = Flow::kNext;
  std::uint32_t skip = 0;
  std::uint32_t as = 0;  // not 0: it stands at the place of this step of its thread, counted from 1, as in a loop
};

struct Program {
  std::vector<std::vector<Step>> threads;
  std::array<std::uint32_t, kObjects> semaphores{};  // initial values
  std::array<std::uint32_t, kObjects> barriers{};    // threads a round
  std::array<std::uint32_t, kObjects> phases{};      // arrivals a phase
  bool fair = false;                                 // time passes only when nobody can run
};

struct ThreadState {
  std::uint32_t pc = 0;
  Waiting waiting = Waiting::kOutside;  // also between arriving at a barrier and leaving it
  std::uint8_t timed_out = 0;
  std::uint8_t unused[2] = {};
  std::uint32_t timed_out_at = 0;  // State::advances
  std::uint32_t arrived = 0;       // when it came to its present step
  std::uint32_t round = 0;         // of the barrier
  std::uint32_t created = 0;
  std::uint32_t ended = 0;
  std::uint32_t steps = 0;
  std::uint32_t serves = 0;  // the caller it has accepted, plus one
  std::uint32_t replied = 0;
  std::uint32_t casts = 0;  // messages sent that travel by themselves
  std::uint32_t registers[kRegisters] = {};
  std::uint32_t seen = 0;  // digest of everything the thread could observe
};

// Compared byte by byte: no padding.
struct State {
  ThreadState threads[kThreads];
  MutexState mutexes[kMutexes];
  RwState rwlocks[kObjects];
  SemState semaphores[kObjects];
  CondState condvars[kObjects];
  BarrierState barriers[kObjects];
  OnceState onces[kObjects];
  InboxState inboxes[kObjects];
  QueueState queues[kObjects];
  PhaseState phases[kObjects];
  std::uint8_t parcels[kObjects][kThreads];        // on their way, by sender: a bit for each
  std::uint8_t enlisted[kObjects][kObjects];       // of an inbox, by queue: its bit there, plus one
  std::uint8_t futex_queue[kBytes / 4][kThreads];  // thread + 1 in order of arrival
  std::uint8_t memory[kBytes];
  std::uint32_t now;
  std::uint32_t advances;
};

// One way to go on: a thread, and for a signal which waiter (by rank), for a timed wait whether it times out.
struct Transition {
  std::uint32_t thread = 0;
  std::uint32_t choice = 0;
  bool timeout = false;
  friend bool operator==(const Transition&, const Transition&) = default;
};

State initial_state(const Program& program);
bool finished(const Program& program, const State& state, std::uint32_t thread);
bool all_finished(const Program& program, const State& state);
// The next operation of a thread as the runtime would show it to a policy; kNone when it has ended.
OperationView pending(const Program& program, const State& state, std::uint32_t thread);
std::vector<Transition> enabled(const Program& program, const State& state);
// Fair time, when nobody can run: the first deadline is over. False: nobody waits for one.
bool pass_time(const Program& program, State& state);
// Executes; yields the operation with its outcome.
OperationView execute(const Program& program, State& state, const Transition& transition);

// Messages that a thread that is about to receive one can get, by sender and number.
std::vector<std::uint64_t> parcels_for(const Program& program, const State& state, std::uint32_t thread);

// Queues whose message a select of a thread can take, in the order of their bits; none if it has a call.
std::vector<std::uint32_t> queues_for(const Program& program, const State& state, std::uint32_t thread);

std::string bytes_of(const State& state);
std::uint32_t read_memory(const State& state, std::uint32_t at, std::uint32_t size = 1);

// Kinds whose Event::value dependence looks at, or that differ by it, so that it is part of what the event is.
bool outcome_in_value(OpKind kind);

// A trace up to reordering of independent neighbours, as Foata normal form: for every thread the levels of its events,
// with their outcomes.
class CanonicalTrace {
 public:
  void add(const OperationView& operation);
  [[nodiscard]] std::string key() const;

 private:
  std::vector<OperationView> events_;
  std::vector<std::uint32_t> levels_;
};

struct Count {
  std::uint64_t interleavings = 0;  // complete ones, including those that end in a deadlock
  std::uint64_t traces = 0;
  std::uint64_t deadlocked = 0;  // of the traces
};
// By trying every interleaving.
Count count_traces(const Program& program);
// By trying one interleaving for every prefix of a trace: right only if the dependence table is.
Count count_traces_pruned(const Program& program);

// Short hands.
Step load(std::uint32_t at, std::uint32_t reg = kRegisters);
Step store(std::uint32_t at, std::uint32_t value, std::uint32_t sum = 0);
Step add(std::uint32_t at, std::uint32_t value);
Step cas(std::uint32_t at, std::uint32_t expected, std::uint32_t desired);
Step lock(std::uint32_t mutex);
Step unlock(std::uint32_t mutex);
Step trylock(std::uint32_t mutex, std::uint32_t skip);
Step on(OpKind kind, std::uint32_t at, std::uint32_t second = 0);

}  // namespace ravel::toy

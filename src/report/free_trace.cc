// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <set>

#include "model/execution.h"
#include "report/free_holes.h"
#include "report/free_objects.h"
#include "semantics/barrier.h"

namespace ravel {
namespace {

struct Synchronisation {
  std::uint64_t order = 0;
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  std::size_t at = 0;  // in the thread's events
};

// Its lock and unlock are part of a wait on a condition, which is two events.
bool is_inner_lock(const std::vector<FreeEvent>& events, std::size_t at) {
  const OpKind kind = events[at].kind;
  if (kind == OpKind::kMutexUnlock) return at > 0 && events[at - 1].kind == OpKind::kCondWait;
  return kind == OpKind::kMutexLock && at + 1 < events.size() && events[at + 1].kind == OpKind::kCondReacquire;
}

class Merge {
 public:
  explicit Merge(const FreeRecord& run)
      : run_(run), objects_(run, trace_.record), holes_(run), threads_(run.threads.size()) {}

  FreeTrace take() {
    find_start();
    describe_threads();
    const std::vector<Synchronisation> all = synchronisation();
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
      skip_old_accesses(i);
      offer(i);
    }
    for (const Synchronisation& one : all) {
      pass_accesses_before(one.time);
      const std::uint64_t number = run_.threads[one.thread].stamps[one.at].number;
      pass_own_accesses(one.thread, number);
      synchronise(one);
      threads_[one.thread].events_done = number + 1;
      offer(one.thread);
    }
    pass_accesses_before(~std::uint64_t{0});
    finish();
    return std::move(trace_);
  }

 private:
  struct Cursor {
    std::size_t access = 0;         // the next one
    std::uint64_t events_done = 0;  // its accesses up to this number of events may come
    bool ended = false;
    std::map<std::uint64_t, int> write_locks;  // by address; of reader-writer locks
    std::map<std::uint64_t, int> read_locks;
  };
  struct Offered {
    std::uint64_t time;
    std::uint32_t thread;
    std::size_t access;
    bool operator<(const Offered& other) const { return time > other.time; }  // the earliest is on top
  };
  struct Site {
    std::uint64_t pc = 0;
    std::uint64_t user = 0;
    LocationId location = 0;
    ContextId context = 0;
  };
  struct Barrier {
    std::uint32_t needed = 0;
    std::uint32_t arrived = 0;
    std::set<std::uint32_t> users;
    bool exact = false;  // rounds are known; else whoever leaves is behind all that arrived before
  };

  // From here on all threads' synchronisation is there.
  void find_start() {
    for (const FreeThreadRecord& thread : run_.threads) {
      if (thread.complete || thread.events.empty()) continue;
      start_ = std::max(start_, thread.events.front().order);
    }
    trace_.from_start =
        start_ == 0 && std::all_of(run_.threads.begin(), run_.threads.end(),
                                   [](const FreeThreadRecord& one) { return one.all_accesses && one.gaps.empty(); });
    if (run_.unrecorded != 0) {
      trace_.doubt = "handlers of signals, threads or constructs of OpenMP that Ravel does not see synchronise";
    }
    // Libraries that hand work to threads of their own and order it by atomics that nobody sees.
    const auto is_linked_with = [&](const char* library) {
      return std::any_of(run_.modules.begin(), run_.modules.end(),
                         [&](const ModuleRecord& one) { return text_of(one.path).find(library) != std::string::npos; });
    };
    if (is_linked_with("/libomp"))
      trace_.doubt = "the program is linked with libomp: Ravel sees OpenMP's synchronisation in libgomp only";
    if (is_linked_with("/libtbb"))
      trace_.doubt = "the program is linked with TBB, whose synchronisation Ravel does not see";
    if (run_.lost_threads != 0) trace_.doubt = "there were more threads than can be recorded";
  }

  void describe_threads() {
    ExecutionRecord& record = trace_.record;
    record.outcome = run_.outcome;
    record.message = run_.message;
    record.started = record.finished = true;
    std::size_t events = 0;
    for (const FreeThreadRecord& thread : run_.threads) events += thread.events.size() + thread.accesses.size();
    record.events.reserve(events);
    record.contexts.resize(1);
    for (const ModuleRecord& module : run_.modules) record.modules.push_back({module.base, text_of(module.path)});
    for (std::uint32_t i = 0; i < run_.threads.size(); ++i) {
      const FreeThreadRecord& thread = run_.threads[i];
      ThreadRecord out;
      if (i != 0 && thread.parent < i) out.parent = ThreadIndex(thread.parent);
      out.ordinal = i != 0 ? thread.number : 0;
      record.threads.push_back(out);
      FirstFunctions first;
      first.thread = ThreadIndex(i);
      if (i != 0) {
        first.type = location(thread.type_at);
        for (const std::uint64_t pc : thread.functions) first.first[first.count++] = location(pc);
      }
      trace_.functions.push_back(first);
    }
  }

  LocationId location(std::uint64_t pc) const {
    const LocationId found = run_.location_of(pc);
    return found == kNoLocation ? LocationId{0} : found;
  }

  // Of calls the one that matters is known: the user's own.
  ContextId context(const FreeEvent& from) {
    const LocationId call = from.user != 0 && from.user != from.pc ? location(from.user) : LocationId{0};
    if (call == 0) return ContextId{0};
    const auto [known, fresh] = contexts_.try_emplace(call, trace_.record.contexts.size());
    if (fresh) trace_.record.contexts.push_back({ContextId{0}, call});
    return ContextId(static_cast<std::uint32_t>(known->second));
  }

  // Few places make most events.
  const Site& site(const FreeEvent& from) {
    Site& known = sites_[(from.pc ^ from.user << 1) % sites_.size()];
    if (known.pc != from.pc || known.user != from.user) {
      known = {from.pc, from.user, location(from.pc), context(from)};
    }
    return known;
  }

  // In the one order of all; times are made to fit it.
  std::vector<Synchronisation> synchronisation() {
    std::vector<Synchronisation> all;
    std::size_t most = 0;
    for (const FreeThreadRecord& thread : run_.threads) most += thread.events.size();
    all.reserve(most);
    for (std::uint32_t i = 0; i < run_.threads.size(); ++i) {
      const FreeThreadRecord& thread = run_.threads[i];
      for (std::size_t at = 0; at < thread.events.size(); ++at) {
        const FreeEvent& event = thread.events[at];
        if (event.kind == OpKind::kBarrierArrive) barriers_[event.address].users.insert(i);
        if (event.order >= start_) all.push_back({event.order, thread.stamps[at].time, i, at});
      }
    }
    std::sort(all.begin(), all.end(),
              [](const Synchronisation& a, const Synchronisation& b) { return a.order < b.order; });
    std::uint64_t latest = 0;
    for (Synchronisation& one : all) one.time = latest = std::max(latest, one.time);
    return all;
  }

  // What a thread accessed before an operation that was overwritten may be ordered by that operation.
  void skip_old_accesses(std::uint32_t thread) {
    const FreeThreadRecord& own = run_.threads[thread];
    std::size_t at = 0;
    while (at < own.events.size() && own.events[at].order < start_) ++at;
    Cursor& cursor = threads_[thread];
    cursor.events_done = at < own.events.size() ? own.stamps[at].number : ~std::uint64_t{0};
    if (start_ == 0) cursor.events_done = own.stamps.empty() ? ~std::uint64_t{0} : own.stamps[0].number;
    const std::uint64_t after = at == 0 ? 0 : own.stamps[at - 1].number + 1;
    while (cursor.access < own.accesses.size() && events_before(thread, own.accesses[cursor.access]) < after) {
      ++cursor.access;
    }
  }

  // Of the number of events before an access only the lower half is recorded.
  std::uint64_t events_before(std::uint32_t thread, const FreeEvent& access) const {
    const FreeThreadRecord& own = run_.threads[thread];
    const std::uint64_t last = own.stamps.empty() ? 0 : own.stamps.back().number + 1;
    const auto behind = static_cast<std::uint32_t>(static_cast<std::uint32_t>(last) - access.value);
    return last - std::min<std::uint64_t>(behind, last);
  }

  // The thread's next access waits for its turn, if all that is before it has come.
  void offer(std::uint32_t thread) {
    const Cursor& cursor = threads_[thread];
    const FreeThreadRecord& own = run_.threads[thread];
    if (cursor.access >= own.accesses.size()) return;
    const FreeEvent& access = own.accesses[cursor.access];
    if (events_before(thread, access) <= cursor.events_done) offered_.push({access.order, thread, cursor.access});
  }

  void pass_accesses_before(std::uint64_t time) {
    while (!offered_.empty() && offered_.top().time < time) {
      const Offered next = offered_.top();
      offered_.pop();
      if (threads_[next.thread].access != next.access) continue;  // it has come already
      access(next.thread);
      offer(next.thread);
    }
  }

  void pass_own_accesses(std::uint32_t thread, std::uint64_t number) {
    const std::vector<FreeEvent>& own = run_.threads[thread].accesses;
    std::size_t& at = threads_[thread].access;
    while (at < own.size() && events_before(thread, own[at]) <= number) access(thread);
  }

  void access(std::uint32_t thread) {
    const FreeEvent& access = run_.threads[thread].accesses[threads_[thread].access++];
    holes_.pass(access.order, trace_.record.events.size());
    emit(thread, access, access.kind, objects_.place(access.address));
  }

  void emit(std::uint32_t thread, const FreeEvent& from, OpKind kind, std::uint64_t place, std::uint64_t value = 0) {
    Event event;
    event.kind = kind;
    event.bits = from.bits;
    event.size = from.size;
    event.thread = ThreadIndex(thread);
    event.object = static_cast<ObjectId>(place >> 32);
    event.offset = static_cast<std::uint32_t>(place);
    const Site& at = site(from);
    event.location = at.location;
    event.context = at.context;
    event.value = value;
    trace_.record.events.push_back(event);
    ++trace_.record.threads[thread].steps;
  }

  void synchronise(const Synchronisation& one) {
    const std::vector<FreeEvent>& own = run_.threads[one.thread].events;
    const FreeEvent& event = own[one.at];
    if (is_inner_lock(own, one.at)) return;
    switch (event.kind) {
      case OpKind::kHeapAlloc:
        return emit(one.thread, event, event.kind, objects_.add_block(event, one.thread, location(event.pc)),
                    event.value);
      case OpKind::kHeapFree:
        return free_block(one.thread, event);
      case OpKind::kThreadStart:
        objects_.add_stack(one.thread);
        return emit(one.thread, event, event.kind, 0);
      case OpKind::kThreadEnd:
        threads_[one.thread].ended = true;
        return emit(one.thread, event, event.kind, 0);
      case OpKind::kThreadCreate:
        return emit(one.thread, event, event.kind, 0, event.value);
      case OpKind::kThreadJoin:
        return join(one.thread, event);
      case OpKind::kCondWait:
      case OpKind::kCondReacquire:
        return wait(one, own);
      case OpKind::kCondSignal:
      case OpKind::kCondBroadcast:
        return signal(one.thread, event);
      case OpKind::kBarrierInit:
      case OpKind::kBarrierArrive:
      case OpKind::kBarrierLeave:
        return barrier(one.thread, event);
      case OpKind::kRwReadLock:
      case OpKind::kRwTryReadLock:
      case OpKind::kRwWriteLock:
      case OpKind::kRwTryWriteLock:
      case OpKind::kRwUnlock:
        return rwlock(one.thread, event);
      default:
        return emit(one.thread, event, event.kind, event.address == 0 ? 0 : objects_.place(event.address), event.value);
    }
  }

  void free_block(std::uint32_t thread, const FreeEvent& event) {
    const std::uint64_t place = objects_.block_at(event.address);
    if (place == 0) return;  // made before there was a record
    emit(thread, event, event.kind, place, trace_.record.objects[place >> 32].size);
    objects_.free_block(event.address);
  }

  // Threads that were cancelled, or have called pthread_exit, record no end.
  void join(std::uint32_t thread, const FreeEvent& event) {
    if (event.value >= threads_.size()) return;
    if (!threads_[event.value].ended) {
      pass_own_accesses(event.value, ~std::uint64_t{0});
      threads_[event.value].ended = true;
      FreeEvent end;
      end.pc = run_.threads[event.value].start;
      emit(event.value, end, OpKind::kThreadEnd, 0);
    }
    emit(thread, event, event.kind, 0, event.value);
  }

  void wait(const Synchronisation& one, const std::vector<FreeEvent>& own) {
    const FreeEvent& event = own[one.at];
    const bool begins = event.kind == OpKind::kCondWait;
    const std::size_t mutex = begins ? one.at + 1 : one.at - 1;
    if (mutex >= own.size() || !is_inner_lock(own, mutex)) return;
    const std::uint64_t place = objects_.place(event.address);
    std::vector<std::uint32_t>& waiting = waiting_[place];
    if (begins) {
      waiting.push_back(one.thread);
    } else {
      std::erase(waiting, one.thread);
      if (start_ != 0 && !waits_seen_.contains(one.thread)) {  // its beginning was overwritten
        return emit(one.thread, own[mutex], OpKind::kMutexLock, objects_.place(own[mutex].address));
      }
    }
    waits_seen_.insert(one.thread);
    emit(one.thread, event, event.kind, place, objects_.place(own[mutex].address));
  }

  // Whom it wakes is the kernel's business; whether there was somebody is known.
  void signal(std::uint32_t thread, const FreeEvent& event) {
    const std::uint64_t place = objects_.place(event.address);
    const std::vector<std::uint32_t>& waiting = waiting_[place];
    const bool one = event.kind == OpKind::kCondSignal;
    const std::uint64_t woken = !one ? waiting.size() : waiting.empty() ? ThreadIndex(kNoThread).number() : waiting[0];
    emit(thread, event, event.kind, place, woken);
  }

  void barrier(std::uint32_t thread, const FreeEvent& event) {
    const std::uint64_t place = objects_.place(event.address);
    Barrier& barrier = barriers_[event.address];
    if (event.kind == OpKind::kBarrierInit) {
      barrier.needed = event.value;
      barrier.arrived = 0;
      // With more users than fit into a round the order of calls does not say who was in which.
      barrier.exact = start_ == 0 && barrier.users.size() <= barrier.needed;
      return emit(thread, event, event.kind, place, event.value);
    }
    const bool arrives = event.kind == OpKind::kBarrierArrive;
    if (!barrier.exact) return emit(thread, event, arrives ? OpKind::kSemPost : OpKind::kSemWait, place);
    std::uint64_t value = 0;
    if (arrives) {
      const bool fills = ++barrier.arrived == barrier.needed;
      if (fills) barrier.arrived = 0;
      value = fills ? kFilledRound : kOthersMissing;
    }
    emit(thread, event, event.kind, place, value);
  }

  // An unlock of which the lock was overwritten is taken for a writer's: it orders more.
  void rwlock(std::uint32_t thread, const FreeEvent& event) {
    const std::uint64_t place = objects_.place(event.address);
    Cursor& cursor = threads_[thread];
    int& writes = cursor.write_locks[event.address];
    int& reads = cursor.read_locks[event.address];
    if (event.kind == OpKind::kRwUnlock) {
      if (writes == 0 && reads == 0) emit(thread, event, OpKind::kRwWriteLock, place);
      if (writes > 0) {
        --writes;
      } else if (reads > 0) {
        --reads;
      }
    } else if ((event.bits & kFailed) == 0) {
      const bool write = event.kind == OpKind::kRwWriteLock || event.kind == OpKind::kRwTryWriteLock;
      ++(write ? writes : reads);
    }
    emit(thread, event, event.kind, place, event.value);
  }

  Event overlapping(const FreeOverlapRecord& one, int side) {
    Event event;
    event.kind = one.writes[side] ? OpKind::kWrite : OpKind::kRead;
    const std::uint64_t place = objects_.place(one.address);
    event.object = static_cast<ObjectId>(place >> 32);
    event.offset = static_cast<std::uint32_t>(place);
    event.thread = ThreadIndex(std::min<std::uint32_t>(one.thread[side], last_thread()));
    event.location = location(one.pc[side]);
    return event;
  }

  [[nodiscard]] std::uint32_t last_thread() const {
    return threads_.empty() ? 0 : static_cast<std::uint32_t>(threads_.size() - 1);
  }

  void finish() {
    for (const FreeOverlapRecord& one : run_.overlaps) {
      RaceRecord race{overlapping(one, 0), overlapping(one, 1)};
      trace_.overlaps.push_back(race);
    }
    trace_.record.total_events = trace_.record.events.size();
    trace_.holes = holes_.take(trace_.record.events.size());
    if (objects_.full()) trace_.doubt = "there were more objects than the table holds";
  }

  const FreeRecord& run_;
  FreeTrace trace_;
  FreeObjects objects_;
  FreeHoles holes_;
  std::vector<Cursor> threads_;
  std::priority_queue<Offered> offered_;
  std::map<std::uint64_t, Barrier> barriers_;                    // by address
  std::map<std::uint64_t, std::vector<std::uint32_t>> waiting_;  // threads by place of the condition
  std::set<std::uint32_t> waits_seen_;
  std::map<LocationId, std::size_t> contexts_;
  std::array<Site, 1024> sites_{};  // by a hash of what it is made of
  std::uint64_t start_ = 0;
};

}  // namespace

FreeTrace trace_free_run(const FreeRecord& run) {
  return Merge(run).take();
}

}  // namespace ravel

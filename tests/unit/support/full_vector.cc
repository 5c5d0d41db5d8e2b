// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/full_vector.h"

#include <algorithm>
#include <set>

namespace ravel::testing {
namespace {

bool acquires(const Event& e) {
  return e.order() == __ATOMIC_ACQUIRE || e.order() == __ATOMIC_CONSUME || e.order() == __ATOMIC_ACQ_REL ||
         e.order() == __ATOMIC_SEQ_CST;
}
bool releases(const Event& e) {
  return e.order() == __ATOMIC_RELEASE || e.order() == __ATOMIC_ACQ_REL || e.order() == __ATOMIC_SEQ_CST;
}
bool is_rmw(const Event& e) {
  return e.kind == OpKind::kAtomicRmw || (e.kind == OpKind::kAtomicCas && !e.failed());
}
bool modifies(const Event& e) {
  return e.kind == OpKind::kAtomicStore || is_rmw(e);
}
bool loads(const Event& e) {
  return e.kind == OpKind::kAtomicLoad || e.kind == OpKind::kAtomicCas || e.kind == OpKind::kAtomicRmw;
}

struct Access {
  bool write;
  bool atomic;
};
bool access_of(const Event& e, Access& a) {
  switch (e.kind) {
    case OpKind::kRead:
      a = {false, false};
      return true;
    case OpKind::kWrite:
    case OpKind::kHeapFree:
      a = {true, false};
      return true;
    case OpKind::kAtomicLoad:
      a = {false, true};
      return true;
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
      a = {true, true};
      return true;
    case OpKind::kAtomicCas:
      a = {!e.failed(), true};
      return true;
    default:
      return false;
  }
}

class Judge {
 public:
  explicit Judge(const std::vector<Event>& events) : events_(events), clocks_(events.size()) {
    for (const Event& e : events) {
      threads_ = std::max<std::size_t>(threads_, e.thread + 1);
      if (e.kind == OpKind::kThreadCreate) threads_ = std::max<std::size_t>(threads_, e.value + 1);
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      clocks_[i].assign(threads_, 0);
      for (const std::size_t source : sources(i)) {
        for (std::size_t t = 0; t < threads_; ++t) clocks_[i][t] = std::max(clocks_[i][t], clocks_[source][t]);
      }
      clocks_[i][events[i].thread] += 1;
    }
  }

  [[nodiscard]] bool before(std::size_t i, std::size_t j) const {
    const ThreadIndex t = events_[i].thread;
    return clocks_[j][t] >= clocks_[i][t];
  }

 private:
  // Where the life of the synchronisation object at this place began: a plain write or an init over it.
  [[nodiscard]] std::size_t birth(std::uint64_t place, std::size_t until) const {
    for (std::size_t i = until; i > 0; --i) {
      const Event& e = events_[i - 1];
      if (place_of(e) != place) continue;
      if (e.kind == OpKind::kWrite || e.kind == OpKind::kMutexInit || e.kind == OpKind::kSemInit) return i;
    }
    return 0;
  }

  template <class F>
  void earlier(std::uint64_t place, std::size_t j, std::set<std::size_t>& to, F&& wanted) const {
    for (std::size_t i = birth(place, j); i < j; ++i) {
      if (place_of(events_[i]) == place && wanted(events_[i])) to.insert(i);
    }
  }

  // Releases that a load at j would synchronise with if it acquires: the store it reads and the read-modify-writes in
  // between, and release fences before any of these in their threads.
  [[nodiscard]] std::set<std::size_t> read_from(std::size_t j) const {
    std::set<std::size_t> found;
    const std::uint64_t place = place_of(events_[j]);
    const std::size_t first = birth(place, j);
    for (std::size_t i = j; i > first; --i) {
      const Event& w = events_[i - 1];
      if (place_of(w) != place || !modifies(w)) continue;
      if (releases(w)) found.insert(i - 1);
      for (std::size_t k = i - 1; k > 0; --k) {
        const Event& f = events_[k - 1];
        if (f.thread == w.thread && f.kind == OpKind::kFence && releases(f)) {
          found.insert(k - 1);
          break;
        }
      }
      if (!is_rmw(w)) break;
    }
    return found;
  }

  [[nodiscard]] std::set<std::size_t> sources(std::size_t j) const {
    const Event& e = events_[j];
    const std::uint64_t place = place_of(e);
    std::set<std::size_t> from;
    for (std::size_t i = j; i > 0; --i) {
      if (events_[i - 1].thread == e.thread) {
        from.insert(i - 1);
        break;
      }
    }
    for (std::size_t i = 0; i < j; ++i) {
      if (events_[i].kind == OpKind::kThreadCreate && events_[i].value == e.thread) from.insert(i);
      if (e.kind == OpKind::kThreadJoin && events_[i].thread == e.value) from.insert(i);
    }
    switch (e.kind) {
      case OpKind::kMutexLock:
      case OpKind::kMutexTryLock:
        if (!e.failed()) lock_sources(place, j, from);
        break;
      case OpKind::kCondReacquire:
        lock_sources(e.value, j, from);
        break;
      case OpKind::kRwWriteLock:
      case OpKind::kRwTryWriteLock:
        if (!e.failed()) earlier(place, j, from, [](const Event& x) { return x.kind == OpKind::kRwUnlock; });
        break;
      case OpKind::kRwReadLock:
      case OpKind::kRwTryReadLock:
        if (!e.failed()) read_lock_sources(place, j, from);
        break;
      case OpKind::kSemWait:
      case OpKind::kSemTryWait:
        if (!e.failed()) earlier(place, j, from, [](const Event& x) { return x.kind == OpKind::kSemPost; });
        break;
      case OpKind::kBarrierLeave:
        barrier_sources(place, j, from);
        break;
      case OpKind::kOnceBegin:
        earlier(place, j, from,
                [](const Event& x) { return x.kind == OpKind::kOnceEnd || x.kind == OpKind::kOnceAbort; });
        break;
      case OpKind::kFence:
        if (acquires(e)) {
          for (std::size_t i = 0; i < j; ++i) {
            if (events_[i].thread != e.thread || !loads(events_[i])) continue;
            const std::set<std::size_t> more = read_from(i);
            from.insert(more.begin(), more.end());
          }
        }
        break;
      default:
        if (loads(e) && acquires(e)) {
          const std::set<std::size_t> more = read_from(j);
          from.insert(more.begin(), more.end());
        }
        break;
    }
    return from;
  }

  void lock_sources(std::uint64_t mutex, std::size_t j, std::set<std::size_t>& from) const {
    for (std::size_t i = birth(mutex, j); i < j; ++i) {
      const Event& x = events_[i];
      if ((x.kind == OpKind::kMutexUnlock && place_of(x) == mutex) ||
          (x.kind == OpKind::kCondWait && x.value == mutex)) {
        from.insert(i);
      }
    }
  }

  // All arrivals of the round in which this thread arrived last; value 0 fills a round.
  void barrier_sources(std::uint64_t place, std::size_t j, std::set<std::size_t>& from) const {
    std::vector<std::size_t> round;
    bool mine = false;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < j; ++i) {
      const Event& x = events_[i];
      if (x.kind != OpKind::kBarrierArrive || place_of(x) != place) continue;
      round.push_back(i);
      mine = mine || x.thread == events_[j].thread;
      if (x.value != 0) continue;
      if (mine) found = round;
      mine = false;
      round.clear();
    }
    from.insert(found.begin(), found.end());
  }

  void read_lock_sources(std::uint64_t place, std::size_t j, std::set<std::size_t>& from) const {
    ThreadIndex writer = kNoThread;
    for (std::size_t i = birth(place, j); i < j; ++i) {
      const Event& x = events_[i];
      if (place_of(x) != place || x.failed()) continue;
      if (x.kind == OpKind::kRwWriteLock || x.kind == OpKind::kRwTryWriteLock) writer = x.thread;
      if (x.kind == OpKind::kRwUnlock && x.thread == writer) {
        from.insert(i);
        writer = kNoThread;
      }
    }
  }

  const std::vector<Event>& events_;
  std::vector<std::vector<std::uint32_t>> clocks_;
  std::size_t threads_ = 1;
};

}  // namespace

RacyBytes races_by_full_vectors(const std::vector<Event>& events) {
  const Judge judge(events);
  RacyBytes racy;
  for (std::size_t j = 0; j < events.size(); ++j) {
    Access second{};
    if (!access_of(events[j], second)) continue;
    for (std::size_t i = 0; i < j; ++i) {
      Access first{};
      if (!access_of(events[i], first) || events[i].object != events[j].object) continue;
      if (events[i].thread == events[j].thread || (!first.write && !second.write) || (first.atomic && second.atomic) ||
          judge.before(i, j)) {
        continue;
      }
      // A free touches whatever the other one touches.
      const bool first_is_free = events[i].kind == OpKind::kHeapFree;
      const bool second_is_free = events[j].kind == OpKind::kHeapFree;
      if (first_is_free && second_is_free) continue;
      std::uint32_t begin = std::max(events[i].offset, events[j].offset);
      std::uint32_t end = std::min(events[i].offset + events[i].size, events[j].offset + events[j].size);
      if (first_is_free || second_is_free) {
        const Event& access = first_is_free ? events[j] : events[i];
        begin = access.offset;
        end = access.offset + access.size;
      }
      for (std::uint32_t byte = begin; byte < end; ++byte) racy.try_emplace({events[j].object, byte}, j);
    }
  }
  return racy;
}

}  // namespace ravel::testing

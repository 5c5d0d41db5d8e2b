// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// goldilock, goldilocksc: how each access was found to be free of races, by the locksets of Elmas, Qadeer, Tasiran
// ("Goldilocks", PLDI 2007). Of a variable the last write is known, and each thread's last read since. An access is
// checked against those of other threads that conflict with it and that its thread has not been checked against:
//   SCT  there is none; the set is the thread
//   SCL  a lock held by both, one of them exclusively; or the events of the two threads alone bring the thread in: the
//        set is what it came in through
//   LS   all events do: the whole set
//   E    nothing does: a race
// The task is that of the worst of them (E, LS, SCL), of equals the latest.
#include <algorithm>

#include "cover/metric.h"
#include "cover/metrics.h"
#include "detect/lockset_replay.h"
#include "detect/transfer_log.h"

namespace ravel {
namespace {

using enum CoverWord;

class GoldiLock final : public Metric {
 public:
  GoldiLock(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services),
        log_(memory, kMaxTransfers, kMaxElements),
        replay_(memory, log_, kMaxElements),
        variables_(memory, kCoverVariables),
        records_(memory, 1u << 17) {}

  void begin() override {
    log_.begin();
    replay_.begin();
    variables_.clear();
    records_.clear();
    sequence_ = 0;
    full_ = gapped_ = false;
  }
  // From its next write on a variable is known again.
  void gap() override {
    variables_.clear();
    records_.clear();
    gapped_ = true;
  }
  void on_event(const Event& e, const Moment&) override { log_.on_event(e); }

  void on_access(const Access& a) override {
    const std::uint32_t position = log_.size();
    if (a.sequence + 1 != sequence_) log_.on_event(a.event);
    sequence_ = a.sequence + 1;
    Variable* variable = variables_.get(a.variable);
    if (variable == nullptr) return;
    const ThreadIndex t = a.event.thread;
    state_ = kSct;
    latest_ = 0;
    members_ = 1;
    member_[0] = thread(t);
    const bool known = !gapped_ || variable->write != 0;
    bool read_since = false;
    for (std::uint32_t i = variable->reads; i != 0; i = records_[i].next) read_since |= records_[i].thread == t;
    if (variable->write != 0 && records_[variable->write].thread != t && !read_since)
      check(records_[variable->write], a);
    if (a.write) {
      for (std::uint32_t i = variable->reads; i != 0; i = records_[i].next) {
        if (records_[i].thread != t) check(records_[i], a);
      }
    }
    remember(*variable, a, position);
    if (known) tell(a);
  }
  [[nodiscard]] bool truncated() const override {
    return full_ || variables_.full() || log_.full() || replay_.truncated();
  }

 private:
  static constexpr std::uint32_t kMaxTransfers = 1u << 18;
  static constexpr std::uint32_t kMaxElements = 1u << 15;
  static constexpr std::uint32_t kMostMembers = 1024;
  struct HeldThen {
    std::uint64_t place;
    bool shared;
  };
  struct Record {
    ThreadIndex thread = kNoThread;
    std::uint32_t next = 0;
    std::uint32_t position = 0;
    std::uint32_t locks = 0;
    std::uint64_t sequence = 0;
    HeldThen lock[HeldLocks::kMost];
  };
  struct Variable {
    std::uint32_t write = 0;
    std::uint32_t reads = 0;  // since the write, one of each thread
  };

  static int severity(CoverWord state) { return state == kE ? 3 : state == kLs ? 2 : state == kScl ? 1 : 0; }

  void check(const Record& old, const Access& a) {
    Atom via = 0;
    CoverWord state = kScl;
    const ThreadIndex t = a.event.thread;
    if (const std::uint64_t lock = common_lock(old, t); lock != 0) {
      via = services_.identity.lock(lock);
    } else if (replay_.reaches(old.thread, t, old.position, true)) {
      via = name_of(replay_.through());
    } else {
      state = replay_.reaches(old.thread, t, old.position, false) ? kLs : kE;
    }
    const bool worse = severity(state) > severity(state_);
    if (!worse && (severity(state) < severity(state_) || old.sequence < latest_)) return;
    state_ = state;
    latest_ = old.sequence;
    members_ = 0;
    if (state == kScl) {
      add(via);
    } else {
      for (Element element = 1; element <= log_.elements(); ++element) {
        if (replay_.has(element)) add(name_of_member(element, state == kE ? t : kNoThread));
      }
    }
  }
  void add(Atom atom) {
    if (atom == 0) return;
    if (members_ == kMostMembers) {
      full_ = true;
    } else {
      member_[members_++] = atom;
    }
  }

  // The first that both hold, in the order the older access' thread had taken them.
  [[nodiscard]] std::uint64_t common_lock(const Record& old, ThreadIndex t) const {
    for (std::uint32_t i = 0; i < old.locks; ++i) {
      for (const LockHold& lock : services_.locks.of(t)) {
        if (lock.place == old.lock[i].place && !(lock.shared && old.lock[i].shared)) return lock.place;
      }
    }
    return 0;
  }
  // Elements that carry what a fence or a barrier brings are no members of their own.
  [[nodiscard]] Atom name_of_member(Element element, ThreadIndex without) const {
    const ElementName name = log_.name_of(element);
    if (name.kind == ElementName::Kind::kThread) {
      const auto t = static_cast<ThreadIndex>(name.key);
      return t == without ? 0 : thread(t);
    }
    return name.kind == ElementName::Kind::kObject ? services_.identity.lock(name.key) : 0;
  }
  // What the thread came in through; of a carrier, what filled it last.
  [[nodiscard]] Atom name_of(Element element) const {
    for (std::uint32_t i = replay_.reached_at() + 1; i-- > 0;) {
      const Atom name = name_of_member(element, kNoThread);
      if (name != 0) return name;
      if (log_[i].to == element && log_[i].from != 0) element = log_[i].from;
    }
    return name_of_member(element, kNoThread);
  }

  void remember(Variable& variable, const Access& a, std::uint32_t position) {
    Record record;
    record.thread = a.event.thread;
    record.position = position;
    record.sequence = a.sequence;
    for (const LockHold& lock : services_.locks.of(a.event.thread)) {
      record.lock[record.locks++] = {lock.place, lock.shared};
    }
    if (a.write) {
      for (std::uint32_t i = variable.reads; i != 0;) {
        const std::uint32_t next = records_[i].next;
        records_.remove(i);
        i = next;
      }
      variable.reads = 0;
      if (variable.write != 0) records_.remove(variable.write);
      variable.write = records_.add(record);
      full_ |= variable.write == 0;
      return;
    }
    for (std::uint32_t i = variable.reads; i != 0; i = records_[i].next) {
      if (records_[i].thread != record.thread) continue;
      record.next = records_[i].next;
      records_[i] = record;
      return;
    }
    record.next = variable.reads;
    const std::uint32_t made = records_.add(record);
    if (made == 0) {
      full_ = true;
    } else {
      variable.reads = made;
    }
  }

  void tell(const Access& a) {
    emit(MetricId::kGoldiLockSc, {a.place, word_atom(state_)});
    if (!services_.has(MetricId::kGoldiLock) && !services_.has(MetricId::kGoldiLockStar)) return;
    std::sort(member_, member_ + members_);
    const Atom* end = std::unique(member_, member_ + members_);
    const Atom set = services_.tasks.set_of({member_, static_cast<std::size_t>(end - member_)});
    emit(MetricId::kGoldiLock, {a.place, set});
    emit(MetricId::kGoldiLockStar, {a.place, a.name, set, thread(a.event.thread)});
  }

  TransferLog log_;
  LocksetReplay replay_;
  KeyedPool<Variable> variables_;
  Pool<Record> records_;
  std::uint64_t sequence_ = 0;
  // Of the access in hand.
  CoverWord state_ = kSct;
  std::uint64_t latest_ = 0;
  std::uint32_t members_ = 0;
  Atom member_[kMostMembers] = {};
  bool full_ = false;
  bool gapped_ = false;
};

}  // namespace

Metric* create_goldilock(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<GoldiLock>(memory, services);
}

}  // namespace ravel

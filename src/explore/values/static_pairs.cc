// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/static_pairs.h"

#include <atomic>
#include <cstring>
#include <new>

#include "base/hash.h"
#include "semantics/entries.h"

namespace ravel::values {

namespace {

// As in statics/facts.h.
enum SiteIs : std::uint32_t { kReads, kWrites, kAtomicReads, kAtomicWrites, kLocks, kReadLocks, kWaits, kNotifies };
enum PairIs : std::uint32_t { kPairRw, kPairMm, kPairWm, kPairWn };

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  T* const made = static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
  std::memset(static_cast<void*>(made), 0, sizeof(T) * count);
  return made;
}
ClassRelation* relation(std::pmr::memory_resource& memory) {
  return new (memory.allocate(sizeof(ClassRelation), alignof(ClassRelation))) ClassRelation(memory);
}

// Which operations a member of a pair can be. Compilers differ in kinds of accesses.
bool may_be(std::uint32_t site, std::uint32_t pair, OpKind kind) {
  if (site <= kAtomicWrites) return is_memory_access(kind);
  if (site == kNotifies) return kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast;
  if (site != kWaits) return enters(kind) && kind != OpKind::kCondReacquire;
  return kind == OpKind::kCondReacquire || (pair == kPairWn && kind == OpKind::kCondWait);
}
// Of one that nobody has seen.
OpKind likely_kind(std::uint32_t site, std::uint32_t pair) {
  constexpr OpKind kKinds[] = {OpKind::kRead,      OpKind::kWrite,     OpKind::kAtomicLoad,
                               OpKind::kAtomicRmw, OpKind::kMutexLock, OpKind::kRwReadLock};
  if (site == kNotifies) return OpKind::kCondSignal;
  if (site == kWaits) return pair == kPairWn ? OpKind::kCondWait : OpKind::kCondReacquire;
  return kKinds[site];
}
bool both_read(OpKind a, OpKind b) {
  return is_memory_access(a) && is_memory_access(b) && !has_write_effect(a, 0) && !has_write_effect(b, 0);
}
constexpr std::uint64_t bit_of(std::uint32_t thread_class) {
  return std::uint64_t{1} << (thread_class < 63 ? thread_class : 63);
}

}  // namespace

StaticPairs::StaticPairs(std::pmr::memory_resource& memory, const StaticFacts& facts, AccessClasses& classes,
                         const ThreadLines& lines)
    : facts_(facts), kept_(memory, facts.kept), classes_(classes), lines_(lines) {
  if (!any()) return;
  pairs_ = relation(memory);
  must_ = relation(memory);
  of_earlier_ = relation(memory);
  asked_ = relation(memory);
  reaches_ = relation(memory);
  places_ = {memory, AccessClasses::kMost};
  heads_ = {memory, kHeads};
  next_ = {memory, AccessClasses::kMost};
  closed_ = {memory, AccessClasses::kMost};
  drops_ = {memory, AccessClasses::kMost};
  thread_classes_ = {memory, ThreadNames::kMost};
  roots_ = {memory, ThreadNames::kMost};
  list_locations(memory);
  for (const std::uint32_t word : facts_.reach.words) key_ = hash_combine(key_, word);
  for (const LocationId column : facts_.reach.columns) key_ = hash_combine(key_, column);
}

// Where the program has each site.
void StaticPairs::list_locations(std::pmr::memory_resource& memory) {
  const std::size_t sites = facts_.sites.size();
  first_location_ = room<std::uint32_t>(memory, sites + 2);
  locations_ = room<LocationId>(memory, facts_.place_sites.size() + 1);
  for (const std::uint32_t site : facts_.place_sites) ++first_location_[site + 2];
  for (std::size_t i = 2; i < sites + 2; ++i) first_location_[i] += first_location_[i - 1];
  for (const FactPlace& place : facts_.places) {
    for (const std::uint32_t site : facts_.sites_at(place.location)) {
      locations_[first_location_[site + 1]++] = place.location;
    }
  }
}

std::uint32_t StaticPairs::head_of(std::uint32_t thread, LocationId location) {
  return static_cast<std::uint32_t>(hash_combine(thread, location) % kHeads);
}

std::uint32_t StaticPairs::stack_of(LocationId location, ContextId context, ContextId root, LocationId* out) const {
  std::uint32_t count = 0;
  out[count++] = location;
  for (ContextId node = context; node != root && node != 0 && node < contexts_.size() && count < kMostFrames;) {
    out[count++] = contexts_[node].call;
    node = contexts_[node].parent;
  }
  return count;
}

std::uint64_t StaticPairs::classes_created_by(const ThreadRecord& thread) const {
  if (thread.parent == kNoThread && thread.created_at == 0) return 1;
  LocationId stack[kMostFrames];
  const std::uint32_t count = stack_of(thread.created_at, thread.created_in, ContextId{0}, stack);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t classes = 0;
    for (const ReachCreation& one : facts_.reach.creations) {
      if (one.location == stack[i]) classes |= bit_of(one.thread_class);
    }
    if (classes != 0) return classes;
  }
  return ~std::uint64_t{0};
}

void StaticPairs::learn_threads(const ExecutionView& view, const TraceView& trace) {
  bool fresh = false;
  for (std::uint32_t c = 0; c < view.steps().columns(); ++c) {
    const std::uint32_t name = view.steps().name_of_column(c);
    if (name >= ThreadNames::kMost || thread_classes_[name] != 0) continue;
    thread_classes_.at(name) = classes_created_by(trace.threads[c]);
    roots_.at(name) = trace.threads[c].created_in;
    if (name >= threads_) threads_ = name + 1;
    fresh = true;
  }
  // Targets of threads that nobody knew.
  for (ClassId access = 0; fresh && access < entered_; ++access) pair_up(access);
}

void StaticPairs::enter(ClassId access) {
  const AccessClass& row = classes_[access];
  std::uint32_t& head = heads_.at(head_of(row.thread, row.location));
  if (head != access + 1) {  // a killed process may have entered it, and not counted it
    next_.at(access) = head;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    head = access + 1;
  }
  // What was assumed at the place of an operation that was seen is settled.
  if (row.assumed != 0 && seen_at(row.thread, row.location)) closed_.at(access) = 1;
  for (std::uint32_t at = head; at != 0 && row.assumed == 0; at = next_[at - 1]) {
    const AccessClass& other = classes_[at - 1];
    if (other.thread == row.thread && other.location == row.location) closed_.at(at - 1) = 1;
  }
  LocationId stack[kMostFrames] = {row.location};
  const std::uint32_t count = row.assumed != 0 || row.thread >= ThreadNames::kMost
                                  ? 1
                                  : stack_of(row.location, row.context, roots_[row.thread], stack);
  places_.at(access) = facts_.reach.user_place({stack, count});
}

void StaticPairs::add(ClassId a, ClassId b, bool must) {
  // What was planned for so far had no trigger of a new class, and what was seen is planned for by its own pairs.
  if (pairs_->add(a, b) && ((a < known_ && classes_[b].assumed != 0) || (b < known_ && classes_[a].assumed != 0)))
    ++version_;
  pairs_->add(b, a);
  if (!must) return;
  must_->add(a, b);
  must_->add(b, a);
}

bool StaticPairs::seen_at(std::uint32_t thread, LocationId location) const {
  for (std::uint32_t at = heads_[head_of(thread, location)]; at != 0; at = next_[at - 1]) {
    const AccessClass& row = classes_[at - 1];
    if (row.assumed == 0 && row.thread == thread && row.location == location) return true;
  }
  return false;
}

void StaticPairs::pair_with(ClassId access, const FactPartner& partner, std::uint32_t thread) {
  const std::uint32_t site = partner.site;
  const std::uint32_t kind = facts_.sites[site].kind;
  for (std::uint32_t i = first_location_[site]; i < first_location_[site + 1]; ++i) {
    bool seen = false;
    for (std::uint32_t at = heads_[head_of(thread, locations_[i])]; at != 0; at = next_[at - 1]) {
      const AccessClass& row = classes_[at - 1];
      if (row.assumed != 0 || row.thread != thread || row.location != locations_[i]) continue;
      seen = true;
      if (may_be(kind, partner.kind, row.kind) && !both_read(row.kind, classes_[access].kind))
        add(access, at - 1, partner.must != 0);
    }
    if (seen) continue;
    const OpKind likely = likely_kind(kind, partner.kind);
    if (both_read(likely, classes_[access].kind)) continue;
    if (kept_.is_ruled_out(kept_form(access), {key_of(thread), locations_[i], likely})) continue;
    const bool has_room = classes_.count() < AccessClasses::kMost / 2;  // what is seen goes first
    const ClassId assumed = has_room ? classes_.id_of({thread, likely, locations_[i], 0, 1}) : kNoClass;
    if (assumed != kNoClass) add(access, assumed, partner.must != 0);
  }
}

// The class is an operation of the sites at its place, if its thread can be of their class.
void StaticPairs::pair_up(ClassId access) {
  const AccessClass row = classes_[access];
  if (row.assumed != 0 || row.thread >= ThreadNames::kMost) return;
  pair_up_kept(access);
  for (const std::uint32_t site : facts_.sites_at(row.location)) {
    if ((thread_classes_[row.thread] & bit_of(facts_.sites[site].thread_class)) == 0) continue;
    for (const FactPartner& partner : facts_.partners_of(site)) {
      if (!may_be(facts_.sites[site].kind, partner.kind, row.kind)) continue;
      const std::uint64_t wanted = bit_of(facts_.sites[partner.site].thread_class);
      for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        if (thread != row.thread && (thread_classes_[thread] & wanted) != 0) pair_with(access, partner, thread);
      }
    }
  }
}

Reach StaticPairs::ask(ClassId from, ClassId to) const {
  const AccessClass& row = classes_[from];
  if (row.kind == OpKind::kThreadStart || row.location == classes_[to].location || places_[to] == 0) return Reach::kYes;
  LocationId stack[kMostFrames];
  const std::uint32_t count = stack_of(row.location, row.context, roots_[row.thread], stack);
  return count == kMostFrames ? Reach::kYes : facts_.reach.ask({stack, count}, places_[to]);
}

bool StaticPairs::may_reach(ClassId from, ClassId to) const {
  if (!any()) return false;
  const bool unknown = !reach_is_used() || classes_[from].assumed != 0 || places_[to] == 0 ||
                       facts_.reach.column_of(places_[to]) == facts_.reach.columns.size();
  if (unknown) return classes_[to].assumed != 0;
  if (asked_->add(from, to) && ask(from, to) == Reach::kYes) reaches_->add(from, to);
  return reaches_->has(from, to);
}

// What was executed could be reached from what was executed before it.
void StaticPairs::check_reach(const ExecutionView& view) {
  const Steps& steps = view.steps();
  for (std::uint32_t i = 0; i < steps.count() && reach_is_used(); ++i) {
    if (steps[i].previous == kNoStep) continue;
    const ClassId from = view.class_of(steps[i].previous);
    const ClassId to = view.class_of(i);
    if (from == to || places_[to] == 0 || may_reach(from, to)) continue;
    if (facts_.reach.column_of(places_[to]) == facts_.reach.columns.size()) continue;
    contradicted_ = true;
    ++version_;
  }
}

// Only one class may take its place, and by the code graph there was a way to it wherever its thread has been.
ClassId StaticPairs::stand_in_of(const ExecutionView& view, ClassId access) const {
  const AccessClass& row = classes_[access];
  ClassId found = kNoClass;
  for (std::uint32_t at = heads_[head_of(row.thread, row.location)]; at != 0; at = next_[at - 1]) {
    const AccessClass& other = classes_[at - 1];
    if (other.thread != row.thread || other.location != row.location) continue;
    if (other.kind != row.kind || !is_open(at - 1) || drops_[at - 1] >= kMostDrops) return kNoClass;
    found = at - 1;
  }
  for (ClassId other = entered_; other < classes_.count() && found != kNoClass; ++other) {
    const AccessClass& beside = classes_[other];
    if (other != access && beside.thread == row.thread && beside.location == row.location) return kNoClass;
  }
  const Steps& steps = view.steps();
  for (std::uint32_t i = 0; i < steps.count() && found != kNoClass; ++i) {
    if (steps[i].act.op.thread != row.thread) continue;
    if (view.class_of(i) == access) break;
    if (!may_reach(view.class_of(i), found)) return kNoClass;
  }
  return found;
}

void StaticPairs::learn(const ExecutionView& view, const TraceView& trace) {
  if (!any()) return;
  contexts_ = trace.contexts;
  known_ = entered_;
  learn_threads(view, trace);
  for (; entered_ < classes_.count(); ++entered_) {
    enter(entered_);
    pair_up(entered_);
  }
  check_reach(view);
}

StaticPairs::Counts StaticPairs::count(const LearnedFacts& learned) const {
  Counts counts;
  if (!any()) return counts;
  std::uint64_t known = 0;
  for (ClassId a = 0; a < classes_.count(); ++a) {
    pairs_->visit(a, classes_.count(), [&](ClassId b) {
      if (b <= a) return;
      const bool seen = classes_[a].assumed == 0 && classes_[b].assumed == 0;
      known += learned.is_pair(a, b) && !of_earlier_->has(a, b);
      counts.refuted += seen && !learned.is_pair(a, b) && !of_earlier_->has(a, b);
      counts.assumed += is_open(a) || is_open(b);
    });
  }
  counts.added = learned.pairs() - learned.pairs_of_releases() - known;
  counts.kept = kept_.rows().size();
  return counts;
}

}  // namespace ravel::values

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/cover_set.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel {
namespace {

constexpr std::uint32_t kLargestVariable = 16;  // bytes; longer accesses are ranges
constexpr std::uint32_t kMostMembers = 4096;    // of one set of atoms

}  // namespace

CoverSet::CoverSet(std::pmr::memory_resource& scratch, CoverTables& tables, std::uint32_t metrics, IdentityModes modes)
    : tables_(tables),
      identity_(scratch, tables, modes),
      tasks_(scratch),
      locks_(scratch, kCoverThreads),
      metrics_(metrics),
      list_(make_metrics(scratch, metrics, CoverServices{identity_, tasks_, locks_, metrics})),
      variables_(scratch, 1u << 10, 2 * kCoverVariables),
      foreign_stack_(scratch, 1u << 6, 1u << 16),
      known_(scratch, 1u << 8, kMostKnownTraces),
      numbers_(static_cast<std::uint32_t*>(
          scratch.allocate(sizeof(std::uint32_t) * TaskBuffer::kMostTasks, alignof(std::uint32_t)))),
      saturation_(scratch, tables) {}

Wants CoverSet::wants() const {
  constexpr Wants kWithout =
      wanted(OpClass::kLifecycle) | wanted(OpClass::kAtomic) | wanted(OpClass::kSync) | wanted(OpClass::kInternal);
  return need_accesses(metrics_) ? kWithout | wanted(OpClass::kPlain) | kWantsQuiet : kWithout;
}

void CoverSet::begin(const TraceView& trace) {
  identity_.begin(trace);
  tasks_.begin();
  locks_.begin();
  variables_.clear();
  foreign_stack_.clear();
  has_set_ = false;
  overflow_ = gapped_ = false;
  for (std::uint32_t i = 0; i < list_.count; ++i) list_.metric[i]->begin();
}

void CoverSet::on_event(const Event& e, const Moment& at) {
  if (op_class(e.kind) == OpClass::kPlain) return access(e, at.sequence);
  if (op_class(e.kind) == OpClass::kInternal) {
    if (e.kind == OpKind::kJob) identity_.begin_job(e);
    return;
  }
  locks_.on_event(e, at.sequence);
  for (std::uint32_t i = 0; i < list_.count; ++i) list_.metric[i]->on_event(e, at);
}

void CoverSet::gap() {
  gapped_ = true;
  for (std::uint32_t i = 0; i < list_.count; ++i) list_.metric[i]->gap();
}

// A thread's own stack is its own until somebody else has been there.
bool CoverSet::counts_on_stack(const Event& e, std::uint64_t variable) {
  const ThreadIndex owner = identity_.stack_owner(e.object);
  if (owner == kNoThread) return true;
  if (owner == e.thread) return foreign_stack_.find(variable) != 0;
  std::uint32_t* mark = foreign_stack_.claim(variable);
  if (mark == nullptr) {
    overflow_ = true;
  } else {
    *mark = 1;
  }
  return true;
}

void CoverSet::access_variable(const Event& e, std::uint64_t sequence, std::uint32_t offset, std::uint32_t size) {
  const std::uint64_t variable = std::uint64_t{e.object} << 32 | offset;
  const Atom place = identity_.place(e);
  if (place == 0) return;  // the library's own business
  if (!counts_on_stack(e, variable)) return;
  const Access access{e, sequence, variable, place, identity_.object(e.object, offset, size), e.kind == OpKind::kWrite};
  for (std::uint32_t i = 0; i < list_.count; ++i) list_.metric[i]->on_access(access);
}

void CoverSet::access(const Event& e, std::uint64_t sequence) {
  if (e.object == 0 || e.location == 0) return;
  const std::uint64_t first = place_of(e);
  const std::uint32_t size = e.size == 0 ? 1 : e.size;
  if (size <= kLargestVariable) {
    std::uint32_t* known = variables_.claim(first);
    if (known == nullptr) {
      overflow_ = true;
    } else {
      *known = size;
    }
    return access_variable(e, sequence, e.offset, size);
  }
  bool any = false;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t inside = variables_.find(first + i);
    if (inside == 0) continue;
    any = true;
    access_variable(e, sequence, e.offset + i, inside);
  }
  if (!any && !gapped_) access_variable(e, sequence, e.offset, size);
}

Atom CoverSet::resolved(Atom atom) {
  if (kind_of(atom) != AtomKind::kSet) return identity_.resolve(atom);
  Atom members[kMostMembers];
  std::size_t count = 0;
  for (const Atom member : tasks_.set(atom)) {
    if (count == kMostMembers) {
      overflow_ = true;
      break;
    }
    members[count++] = identity_.resolve(member);
  }
  std::sort(members, members + count);
  count = static_cast<std::size_t>(std::unique(members, members + count) - members);
  const std::uint32_t row = tables_.set({members, count});
  return row == CoverTables::kFull ? 0 : make_atom(AtomKind::kSet, row);
}

// What a new task is about.
void CoverSet::count_objects(std::span<const Atom> fields) {
  for (const Atom field : fields) {
    if (kind_of(field) == AtomKind::kObject) identity_.count_object(field);
  }
}

void CoverSet::finish(const TraceView& trace) {
  for (std::uint32_t i = 0; i < list_.count; ++i) list_.metric[i]->finish(trace);
  std::uint32_t count = 0;
  for (std::uint32_t i = 1; i <= tasks_.count(); ++i) {
    const TaskRecord& raw = tasks_[i];
    Atom fields[kMostFields];
    for (unsigned f = 0; f < raw.fields; ++f) fields[f] = resolved(raw.field[f]);
    const std::uint32_t known = tables_.counts().tasks;
    const std::uint32_t row = tables_.task(raw.metric, {fields, raw.fields});
    if (row == CoverTables::kFull) continue;
    numbers_[count++] = row;
    if (row == known) count_objects({fields, raw.fields});
  }
  identity_.count_threads();
  std::sort(numbers_, numbers_ + count);
  count = static_cast<std::uint32_t>(std::unique(numbers_, numbers_ + count) - numbers_);
  if (truncated()) tables_.set_truncated();
  set_ = tables_.run_set({numbers_, count});
  has_set_ = set_ != CoverTables::kFull;
}

bool CoverSet::truncated() const {
  bool some = overflow_ || identity_.truncated() || tasks_.truncated() || !locks_.complete();
  for (std::uint32_t i = 0; i < list_.count; ++i) some = some || list_.metric[i]->truncated();
  return some;
}

bool CoverSet::recall(std::uint64_t trace_key) {
  const std::uint32_t known = known_.find(trace_key);
  if (known == 0) return false;
  set_ = known - 1;
  has_set_ = true;
  return true;
}

void CoverSet::keep(std::uint64_t trace_key) {
  if (has_set_) {
    if (std::uint32_t* known = known_.claim(trace_key)) *known = set_ + 1;
  }
}

TaskNews CoverSet::news(MetricId metric) const {
  TaskNews news;
  if (!has_set_) return news;
  const std::uint32_t* words = tables_.memory().run_words + set_;
  for (std::uint32_t i = 1; i <= words[0]; ++i) {
    if (tables_.memory().tasks[words[i]].metric != metric) continue;
    news.fresh += saturation_.has_seen(words[i]) ? 0 : 1;
    news.set = hash_combine(news.set, words[i]);
  }
  return news;
}

std::uint32_t CoverSet::count(bool failed) {
  if (!has_set_) return 0;
  has_set_ = false;
  if (!tables_.add_run(set_, failed)) return 0;
  return saturation_.add(tables_.counts().runs - 1, set_);
}

}  // namespace ravel

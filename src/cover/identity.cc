// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/identity.h"

#include <cstring>
#include <string_view>

#include "base/hash.h"
#include "base/sorted.h"
#include "model/library_objects.h"

namespace ravel {
namespace {

constexpr int kMostCalls = 64;
constexpr LocationId kNoPlace = 0xffffffffu;  // no such slot

// Libraries of the system are no user's code.
bool is_system_module(const ModuleRecord& module) {
  const std::string_view path(module.path, strnlen(module.path, sizeof(module.path)));
  return path.substr(0, 5) == "/lib/" || path.substr(0, 7) == "/lib64/" || path.substr(0, 9) == "/usr/lib/";
}

}  // namespace

Identity::Identity(std::pmr::memory_resource& memory, CoverTables& tables, IdentityModes modes)
    : tables_(tables),
      modes_(modes),
      places_(memory, 1u << 10, 1u << 18),
      objects_(memory, kMaxObjects),
      known_objects_(memory, kMaxObjects),
      known_threads_(memory, kCoverThreads),
      lineages_(memory, kCoverThreads),
      jobs_(memory, kCoverThreads),
      threads_(memory, 1u << 6, 1u << 20) {}

void Identity::begin(const TraceView& trace) {
  trace_ = trace;
  objects_.clear();
  threads_.clear();
  lineages_.clear();
  jobs_.clear();
  job_rows_ = 0;
  some_jobs_ = truncated_ = false;
}

void Identity::begin_job(const Event& e) {
  const bool known = e.value >= kMaxThreads && e.value < trace_.first_functions.size();
  if (modes_.threads == ThreadIdentity::kNamed) return;  // its name is its identity
  if (!known || e.thread >= jobs_.capacity()) {
    truncated_ = true;
    return;
  }
  const auto row = static_cast<std::uint32_t>(e.value);
  if (std::uint32_t* job = jobs_.find(e.thread)) {
    *job = row;
  } else {
    jobs_.insert(e.thread, row);
  }
  some_jobs_ = true;
  job_rows_ = row - kMaxThreads + 1;
}

bool Identity::is_system(LocationId location) const {
  const unsigned slot = module_slot(location);
  if (slot != 0) return slot < trace_.modules.size() && is_system_module(trace_.modules[slot]);
  const std::uint32_t offset = module_offset(location);
  const std::size_t behind =
      first_not(trace_.system_code.size(), [&](std::size_t i) { return trace_.system_code[i].start <= offset; });
  return behind != 0 && offset < trace_.system_code[behind - 1].end;
}

// The first place up the calls that is not the system's; 0: there is none.
LocationId Identity::user_location(LocationId location, ContextId context) const {
  LocationId at = location;
  for (int depth = 0; is_system(at); ++depth) {
    if (context == 0 || context >= trace_.contexts.size() || depth == kMostCalls) return 0;
    at = trace_.contexts[context].call;
    context = trace_.contexts[context].parent;
  }
  return at;
}

Atom Identity::place(LocationId location, ContextId context) {
  if (location == 0) return 0;
  const std::uint64_t key = std::uint64_t{context} << 32 | location;
  std::uint32_t* known = places_.claim(key);
  LocationId user = known == nullptr || *known == 0 ? user_location(location, context) : LocationId(*known);
  if (user == 0) user = kNoPlace;
  if (known != nullptr) *known = user;
  return user == kNoPlace ? 0 : make_atom(AtomKind::kPlace, user);
}

ThreadIndex Identity::stack_owner(ObjectId object) const {
  if (object >= trace_.objects.size() || trace_.objects[object].kind != ObjectKind::kStack) return kNoThread;
  return trace_.objects[object].owner;
}

bool Identity::is_library_state(ObjectId object) const {
  return object < trace_.objects.size() && is_library_object(trace_.objects[object]);
}

// The object's own share of a lineage: the same in every execution, unlike the number of the thread.
std::uint64_t Identity::lineage(ThreadIndex thread) {
  if (const std::uint64_t* known = lineages_.find(thread)) return *known;
  std::uint64_t hash = 1;
  if (thread != 0 && thread < trace_.threads.size()) {
    const ThreadRecord& record = trace_.threads[thread];
    hash = hash_combine(record.parent < thread ? lineage(record.parent) : 0, record.ordinal);
  }
  if (thread < lineages_.capacity()) lineages_.insert(thread, hash);
  return hash;
}

void Identity::count_heap(const ObjectRecord& object, LocationId site) {
  ObjectIdentityRecord whole;
  whole.kind = object.kind;
  const std::uint64_t owner = lineage(object.owner);
  whole.owner = static_cast<std::uint32_t>(owner);
  whole.id = static_cast<std::uint32_t>(owner >> 32);
  whole.ordinal = object.ordinal;
  whole.site = site;
  whole.size = object.size;
  tables_.saw_object(whole);
}

std::uint32_t Identity::row_of_object(ObjectId id) {
  if (const std::uint32_t* known = objects_.find(id)) return *known;
  ObjectRecord object = id < trace_.objects.size() ? trace_.objects[id] : ObjectRecord{};
  object.base = 0;
  const bool named = modes_.objects == ObjectIdentity::kNamed;
  const std::uint64_t owner = object.kind == ObjectKind::kHeap && !named ? lineage(object.owner) : 0;
  KnownObject* before = known_objects_.find(id);
  std::uint32_t row = 0;
  if (before != nullptr && before->lineage == owner && std::memcmp(&before->object, &object, sizeof object) == 0) {
    row = before->row;
  } else {
    row = tables_.object(describe(id, object));
    if (before != nullptr) *before = {object, owner, row};
    if (before == nullptr && id < known_objects_.capacity()) known_objects_.insert(id, {object, owner, row});
  }
  if (id < objects_.capacity()) objects_.insert(id, row);
  return row;
}

ObjectIdentityRecord Identity::describe(ObjectId id, const ObjectRecord& object) {
  ObjectIdentityRecord wanted;
  wanted.kind = object.kind;
  if (modes_.objects == ObjectIdentity::kNamed) {
    wanted.id = id;
    return wanted;
  }
  const bool heap = object.kind == ObjectKind::kHeap;
  LocationId site = heap ? user_location(object.site, object.site_context) : LocationId();
  if (site == 0) site = object.site;
  if (heap) count_heap(object, site);
  if (object.kind == ObjectKind::kModule) wanted.owner = object.owner;
  if (object.kind == ObjectKind::kOther || object.kind == ObjectKind::kChannel) wanted.ordinal = object.ordinal;
  if (heap && modes_.objects != ObjectIdentity::kType) wanted.site = site;
  if (heap && modes_.objects == ObjectIdentity::kType) wanted.size = object.size;
  if (modes_.objects == ObjectIdentity::kReal && object.kind != ObjectKind::kModule) {
    const std::uint32_t owner = row_of_thread(object.owner, ThreadIdentity::kReal);
    wanted.owner = owner == CoverTables::kFull ? 0 : owner + 1;
    wanted.ordinal = object.ordinal;
  }
  return wanted;
}

// Blocks of the heap were counted when they were met; of other objects each part is one.
void Identity::count_object(Atom atom) {
  const ObjectIdentityRecord& row = tables_.memory().objects[object_row(atom)];
  if (row.kind == ObjectKind::kHeap || modes_.objects == ObjectIdentity::kNamed) return;
  ObjectIdentityRecord whole;
  whole.kind = row.kind;
  whole.owner = row.owner;
  whole.ordinal = row.ordinal;
  whole.size = static_cast<std::uint32_t>(value_of(atom));
  tables_.saw_object(whole);
}

Atom Identity::object(ObjectId id, std::uint32_t offset, std::uint32_t size) {
  const std::uint64_t row = row_of_object(id);
  if (row == CoverTables::kFull) return 0;
  const ObjectRecord object = id < trace_.objects.size() ? trace_.objects[id] : ObjectRecord{};
  const bool of_thread = object.kind == ObjectKind::kStack || object.kind == ObjectKind::kTls;
  std::uint64_t part = of_thread ? object.size - offset : offset;
  const bool large = object.kind == ObjectKind::kHeap && object.size > kLargeObject && size != 0;
  if (large && modes_.objects != ObjectIdentity::kNamed) part = kSizedPart | size;
  return make_atom(AtomKind::kObject, row << kObjectRowShift | (part & (kSizedPart | 0xffffffffu)));
}

ThreadIndex Identity::thread_of(std::uint32_t row) const {
  if (row < kMaxThreads || row >= trace_.first_functions.size()) return row;
  return trace_.first_functions[row].thread;
}

ThreadIdentityRecord Identity::describe(std::uint32_t row, ThreadIdentity how) {
  ThreadIdentityRecord wanted;
  const ThreadIndex thread = thread_of(row);
  if (how == ThreadIdentity::kNamed) {
    wanted.ordinal = thread;
    return wanted;
  }
  wanted.is_main = thread == 0;
  if (thread >= trace_.threads.size() || (thread == 0 && row == 0)) return wanted;
  if (how == ThreadIdentity::kReal) {
    const ThreadRecord& record = trace_.threads[thread];
    if (record.parent < thread) wanted.parent = row_of_thread(record.parent, how);
    wanted.ordinal = thread == 0 ? 0 : record.ordinal;
    return wanted;
  }
  if (row >= trace_.first_functions.size()) return wanted;
  const FirstFunctions& functions = trace_.first_functions[row];
  wanted.type = functions.type;
  if (how == ThreadIdentity::kType) return wanted;
  const std::uint32_t known = functions.count < kMostFirstFunctions ? functions.count : kMostFirstFunctions;
  wanted.functions = known < modes_.functions ? known : modes_.functions;
  for (std::uint32_t i = 0; i < wanted.functions; ++i) wanted.first[i] = functions.first[i];
  return wanted;
}

// All that tells the thread, or the job, apart, as it is now.
Identity::KnownThread Identity::look_at_thread(std::uint32_t row) {
  KnownThread now{trace_.first_functions[row], lineage(thread_of(row)), CoverTables::kFull};
  if (now.functions.count > kMostFirstFunctions) now.functions.count = kMostFirstFunctions;
  if (row == 0) now.functions.count = 0;
  if (row == 0) now.functions.type = LocationId();
  return now;
}

// What is known from an earlier execution, if the thread is the same.
Identity::KnownThread* Identity::same_thread_before(std::uint32_t row, const KnownThread& now) {
  KnownThread* before = known_threads_.find(row);
  const bool same =
      before != nullptr && before->lineage == now.lineage && before->functions.type == now.functions.type &&
      before->functions.count == now.functions.count &&
      std::memcmp(before->functions.first, now.functions.first, sizeof(LocationId) * now.functions.count) == 0;
  return same ? before : nullptr;
}

void Identity::count_thread(std::uint32_t row) {
  const KnownThread now = look_at_thread(row);
  if (same_thread_before(row, now) != nullptr) return;
  ThreadIdentityRecord whole;
  whole.parent = static_cast<std::uint32_t>(now.lineage);
  whole.ordinal = static_cast<std::uint32_t>(now.lineage >> 32);
  whole.is_main = thread_of(row) == 0;
  whole.type = now.functions.type;
  whole.functions = now.functions.count;
  std::memcpy(whole.first, now.functions.first, sizeof(LocationId) * whole.functions);
  tables_.saw_thread(whole);
  if (KnownThread* before = known_threads_.find(row)) {
    *before = now;
  } else if (row < known_threads_.capacity()) {
    known_threads_.insert(row, now);
  }
}

void Identity::count_threads() {
  if (modes_.threads == ThreadIdentity::kNamed || trace_.first_functions.empty()) return;
  for (std::uint32_t i = 0; i < trace_.result->threads && i < kMaxThreads; ++i) count_thread(i);
  for (std::uint32_t i = 0; i < job_rows_; ++i) count_thread(kMaxThreads + i);
}

std::uint32_t Identity::row_of_thread(std::uint32_t thread, ThreadIdentity how) {
  const std::uint64_t key = std::uint64_t{thread} << 2 | static_cast<std::uint64_t>(how);
  if (const std::uint32_t known = threads_.find(key)) return known - 1;
  const bool lasts = how == ThreadIdentity::kAbstract && thread < trace_.first_functions.size();
  KnownThread* before = lasts ? same_thread_before(thread, look_at_thread(thread)) : nullptr;
  const bool known_row = before != nullptr && before->row != CoverTables::kFull;
  const std::uint32_t row = known_row ? before->row : tables_.thread(describe(thread, how));
  if (before != nullptr) before->row = row;
  if (row != CoverTables::kFull) (void)threads_.insert(key, row + 1);
  return row;
}

Atom Identity::resolve(Atom atom) {
  const AtomKind kind = kind_of(atom);
  if (kind != AtomKind::kThread && kind != AtomKind::kThreadType) return atom;
  const bool named = modes_.threads == ThreadIdentity::kNamed;
  const ThreadIdentity how = kind == AtomKind::kThread || named ? modes_.threads : ThreadIdentity::kType;
  const auto who = static_cast<std::uint32_t>(value_of(atom));
  // A job has an identity of its own only where threads are known by what they run.
  const std::uint32_t row = row_of_thread(how == ThreadIdentity::kAbstract ? who : thread_of(who).number(), how);
  return row == CoverTables::kFull ? 0 : make_atom(kind, row);
}

}  // namespace ravel

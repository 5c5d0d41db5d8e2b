// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/identity.h"

#include <cstring>
#include <string_view>

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
      threads_(memory, 1u << 6, 1u << 20) {}

void Identity::begin(const TraceView& trace) {
  trace_ = trace;
  objects_.clear();
  threads_.clear();
}

bool Identity::is_system(LocationId location) const {
  const unsigned slot = module_slot(location);
  if (slot != 0) return slot < trace_.modules.size() && is_system_module(trace_.modules[slot]);
  const std::uint32_t offset = module_offset(location);
  std::size_t low = 0;
  std::size_t high = trace_.system_code.size();
  while (low < high) {  // the last that begins before it
    const std::size_t middle = (low + high) / 2;
    if (trace_.system_code[middle].start <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low != 0 && offset < trace_.system_code[low - 1].end;
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

std::uint32_t Identity::row_of_object(ObjectId id) {
  if (const std::uint32_t* known = objects_.find(id)) return *known;
  ObjectIdentityRecord wanted;
  const ObjectRecord object = id < trace_.objects.size() ? trace_.objects[id] : ObjectRecord{};
  wanted.kind = object.kind;
  if (modes_.objects == ObjectIdentity::kNamed) {
    wanted.id = id;
  } else {
    if (object.kind == ObjectKind::kModule) wanted.owner = object.owner;
    if (object.kind == ObjectKind::kOther || object.kind == ObjectKind::kChannel) wanted.ordinal = object.ordinal;
    if (object.kind == ObjectKind::kHeap && modes_.objects != ObjectIdentity::kType) {
      wanted.site = user_location(object.site, object.site_context);
      if (wanted.site == 0) wanted.site = object.site;
    }
    if (object.kind == ObjectKind::kHeap && modes_.objects == ObjectIdentity::kType) wanted.size = object.size;
    if (modes_.objects == ObjectIdentity::kReal && object.kind != ObjectKind::kModule) {
      wanted.owner = object.owner + 1;
      wanted.ordinal = object.ordinal;
    }
  }
  const std::uint32_t row = tables_.object(wanted);
  if (id < objects_.capacity()) objects_.insert(id, row);
  return row;
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

ThreadIdentityRecord Identity::describe(ThreadIndex thread, ThreadIdentity how) {
  ThreadIdentityRecord wanted;
  if (how == ThreadIdentity::kNamed) {
    wanted.ordinal = thread;
    return wanted;
  }
  wanted.is_main = thread == 0;
  if (thread == 0 || thread >= trace_.threads.size()) return wanted;
  if (how == ThreadIdentity::kReal) {
    const ThreadRecord& record = trace_.threads[thread];
    if (record.parent < thread) wanted.parent = row_of_thread(record.parent, how);
    wanted.ordinal = record.ordinal;
    return wanted;
  }
  if (thread >= trace_.first_functions.size()) return wanted;
  const FirstFunctions& functions = trace_.first_functions[thread];
  wanted.type = functions.type;
  if (how == ThreadIdentity::kType) return wanted;
  const std::uint32_t known = functions.count < kMostFirstFunctions ? functions.count : kMostFirstFunctions;
  wanted.functions = known < modes_.functions ? known : modes_.functions;
  for (std::uint32_t i = 0; i < wanted.functions; ++i) wanted.first[i] = functions.first[i];
  return wanted;
}

std::uint32_t Identity::row_of_thread(ThreadIndex thread, ThreadIdentity how) {
  const std::uint64_t key = std::uint64_t{thread} << 2 | static_cast<std::uint64_t>(how);
  if (const std::uint32_t known = threads_.find(key)) return known - 1;
  const std::uint32_t row = tables_.thread(describe(thread, how));
  if (row != CoverTables::kFull) (void)threads_.insert(key, row + 1);
  return row;
}

Atom Identity::resolve(Atom atom) {
  const AtomKind kind = kind_of(atom);
  if (kind != AtomKind::kThread && kind != AtomKind::kThreadType) return atom;
  const bool named = modes_.threads == ThreadIdentity::kNamed;
  const ThreadIdentity how = kind == AtomKind::kThread || named ? modes_.threads : ThreadIdentity::kType;
  const std::uint32_t row = row_of_thread(static_cast<ThreadIndex>(value_of(atom)), how);
  return row == CoverTables::kFull ? 0 : make_atom(kind, row);
}

}  // namespace ravel

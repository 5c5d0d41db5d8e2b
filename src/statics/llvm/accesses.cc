// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/accesses.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>

#include "statics/llvm/member_names.h"
#include "statics/llvm/places.h"

namespace ravel {

Shared::Shared(const PointerModel& model, const ThreadClasses& classes) {
  const PointsTo& points_to = model.points_to();
  const MemoryObjects& objects = points_to.objects();
  std::vector<MemoryId> waiting;
  std::set<NodeId> followed;
  const auto add = [&](MemoryId object) {
    if (objects.object(object).kind != MemoryKind::kFunction && objects_.insert(object).second)
      waiting.push_back(object);
  };
  for (MemoryId id = 0; id < objects.count(); ++id) {
    const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(objects.object(id).value);
    if (objects.object(id).kind == MemoryKind::kGlobal && variable != nullptr && !variable->isThreadLocal()) add(id);
    // The library's own, and exceptions that another thread may rethrow.
    if (objects.object(id).kind == MemoryKind::kOpaque || model.may_be_rethrown(objects.object(id))) add(id);
  }
  for (const ClassOfThreads& one : classes.all()) {
    for (const llvm::Function* entry : one.entries) {
      if (one.creations.empty() || entry->arg_empty() || classes.is_late(*entry)) continue;
      for (const CellId cell : model.held_by(entry->getArg(0))) add(points_to.object_of(cell));
    }
  }
  while (!waiting.empty()) {
    const MemoryId id = waiting.back();
    waiting.pop_back();
    for (const auto& [offset, cell] : objects.object(id).cells) {
      if (!followed.insert(points_to.class_of(cell)).second) continue;
      for (const CellId target : points_to.targets(cell)) add(points_to.object_of(target));
    }
  }
}

Accesses::Accesses(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
                   const Locksets& locks, const Shared& shared, const FunctionContexts& contexts, SiteDetail detail,
                   std::vector<Site>& sites)
    : model_(model),
      calls_(calls),
      classes_(classes),
      locks_(locks),
      contexts_(contexts),
      detail_(detail),
      sites_(sites) {
  if (model.points_to().coarse()) join_objects(shared);
  // In the order of the module, so that facts do not depend on addresses.
  for (unsigned i = 0; i < classes_.all().size(); ++i) {
    for (const llvm::Function* function : model_.functions()) {
      if (classes_.all()[i].functions.count(function) == 0) continue;
      for (const PlacedOperation& row : calls_.of(*function).operations) add(i, *row.instruction, row.operation);
    }
  }
}

MemoryId Accesses::joined(MemoryId object) const {
  if (joined_.empty()) return object;
  while (joined_[object] != object) object = joined_[object];
  return object;
}

void Accesses::join_objects(const Shared& shared) {
  std::vector<MemoryId> all(model_.points_to().objects().count());
  for (MemoryId id = 0; id < all.size(); ++id) all[id] = id;
  joined_ = std::move(all);
  std::set<const CellSet*> seen;
  const auto join = [&](const CellSet& cells) {
    if (!seen.insert(&cells).second) return;
    MemoryId kept = kNoCell;
    for (const CellId cell : cells) {
      MemoryId other = joined(model_.points_to().object_of(cell));
      if (kept == kNoCell) kept = other;
      if (kept == other) continue;
      if (shared.contains(other) && !shared.contains(kept)) std::swap(kept, other);
      joined_[other] = kept;
    }
  };
  std::set<const llvm::Function*> known;
  for (const ClassOfThreads& one : classes_.all()) {
    for (const llvm::Function* function : model_.functions()) {
      if (one.functions.count(function) == 0 || !known.insert(function).second) continue;
      for (const PlacedOperation& row : calls_.of(*function).operations) {
        join(cells_of(model_, row.operation.pointer, row.operation.behind));
        if (row.operation.mutex != nullptr) join(cells_of(model_, row.operation.mutex, row.operation.mutex_behind));
      }
    }
  }
  for (MemoryId id = 0; id < joined_.size(); ++id) {
    if (joined(id) != id) several_.insert(joined(id));
    joined_[id] = joined(id);
  }
}

std::vector<MemoryRange> Accesses::ranges_of(const CellSet& cells, std::int64_t bytes) const {
  std::vector<MemoryRange> ranges;
  const PointsTo& points_to = model_.points_to();
  if (!joined_.empty()) {
    if (!cells.empty()) ranges.push_back({joined(points_to.object_of(static_cast<CellId>(cells.find_first()))), 0, 1});
    return ranges;
  }
  for (const CellId cell : cells) {
    const MemoryId object = points_to.object_of(cell);
    std::int64_t begin = points_to.offset_of(cell);
    // Several elements of an array at once: from its first byte.
    if (bytes > 16 && points_to.objects().in_array(object, begin)) begin = 0;
    ranges.push_back({object, begin, begin + std::max<std::int64_t>(bytes, 1)});
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

void Accesses::add(unsigned thread_class, const llvm::Instruction& instruction, const Operation& operation) {
  MemoryAccess access;
  access.thread_class = thread_class;
  access.kind = operation.kind;
  access.instruction = &instruction;
  access.ranges = ranges_of(cells_of(model_, operation.pointer, operation.behind), operation.bytes);
  if (access.ranges.empty()) return;
  if (operation.mutex != nullptr)
    access.mutexes = ranges_of(cells_of(model_, operation.mutex, operation.mutex_behind), 1);
  access.held = locks_.at(instruction);
  if (!operation.behind) {
    const BaseAndOffset data = base_of(model_, operation.pointer);
    for (const MustLock& lock : access.held) {
      if (lock.cell == kNoCell && lock.base == data.base)
        access.distances.emplace(data.offset - lock.offset, lock.shared);
    }
  }
  for (const CodePlace& place : places_of(instruction, thread_class)) {
    const unsigned number = site(thread_class, operation.kind, place, instruction);
    access.sites.push_back(number);
    describe(number, access);
  }
  accesses_.push_back(std::move(access));
}

const std::set<CodePlace>& Accesses::callers_of(const llvm::Function& function, unsigned thread_class) {
  const auto [found, fresh] = callers_.try_emplace({&function, thread_class});
  if (!fresh) return found->second;  // on recursion: what is known so far
  std::set<CodePlace> places;
  for (const llvm::CallBase* call : classes_.callers_of(function)) {
    const llvm::Function* caller = call->getFunction();
    if (classes_.all()[thread_class].functions.count(caller) == 0) continue;
    if (const auto& place = place_of(*call)) {
      places.insert(*place);
    } else if (caller != &function) {
      const std::set<CodePlace> more = callers_of(*caller, thread_class);
      places.insert(more.begin(), more.end());
    }
  }
  return callers_[{&function, thread_class}] = std::move(places);
}

const std::optional<CodePlace>& Accesses::place_of(const llvm::Instruction& instruction) {
  const auto [known, fresh] = places_.try_emplace(instruction.getDebugLoc().get());
  if (fresh) known->second = user_place(instruction);
  return known->second;
}

std::vector<CodePlace> Accesses::places_of(const llvm::Instruction& instruction, unsigned thread_class) {
  if (const auto& place = place_of(instruction)) return {*place};
  const std::set<CodePlace>& callers = callers_of(*instruction.getFunction(), thread_class);
  if (!callers.empty()) return {callers.begin(), callers.end()};
  return {classes_.all()[thread_class].facts.created_at};  // the library's own start of the thread
}

unsigned Accesses::site(unsigned thread_class, SiteKind kind, const CodePlace& at,
                        const llvm::Instruction& instruction) {
  const auto context = contexts_.find(instruction.getFunction());
  const bool whole_line = detail_ != SiteDetail::kOperation;
  // The class behind all others.
  if (detail_ == SiteDetail::kLineOfAny) thread_class = static_cast<unsigned>(classes_.all().size());
  const CodePlace call = whole_line || context == contexts_.end() ? CodePlace{} : context->second.call;
  const CodePlace place{at.file, at.line, whole_line ? 0 : at.column};
  const auto [found, fresh] =
      known_.try_emplace({thread_class, kind, place, call}, static_cast<unsigned>(sites_.size()));
  if (fresh) {
    Site one;
    one.thread_class = thread_class;
    one.kind = kind;
    one.place = place;
    one.context = call;
    one.function = user_function(instruction);
    sites_.push_back(std::move(one));
  }
  const auto [known, first] = inner_places_.try_emplace(instruction.getDebugLoc().get());
  if (first) known->second = innermost_place(instruction);
  const std::optional<CodePlace>& inner = known->second;
  std::vector<CodePlace>& inside = sites_[found->second].inside;
  if (inner && !(*inner == at) && std::find(inside.begin(), inside.end(), *inner) == inside.end()) {
    inside.push_back(*inner);
  }
  return found->second;
}

std::string Accesses::object_name(MemoryId id, std::int64_t offset) const {
  const auto [known, fresh] = names_.try_emplace(id);
  if (fresh) known->second = name_of(id);
  const auto* value = model_.points_to().objects().object(id).value;
  if (const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(value))
    return known->second + member_name(*variable, offset);
  return offset == 0 ? known->second : known->second + "+" + std::to_string(offset);
}

std::string Accesses::name_of(MemoryId id) const {
  const MemoryObject& object = model_.points_to().objects().object(id);
  std::string name;
  if (object.kind == MemoryKind::kGlobal) {
    name = llvm::demangle(object.name);
  } else {
    const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(object.value);
    const auto place = made == nullptr ? std::nullopt : user_place(*made);
    const bool stack = object.kind == MemoryKind::kStack;
    name = stack && made != nullptr && made->hasName() ? made->getName().str() : stack ? "local" : "heap";
    if (place) name += "@" + place->file.substr(place->file.rfind('/') + 1) + ":" + std::to_string(place->line);
    if (stack && !place && made != nullptr) name += " of " + readable_name(*made->getFunction());
  }
  return name;
}

void Accesses::describe(unsigned number, const MemoryAccess& access) {
  constexpr std::size_t kMostNames = 8;
  Site& site = sites_[number];
  const auto contains = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const MemoryRange& range : access.ranges) {
    if (site.objects.size() == kMostNames) break;
    const std::string name = object_name(range.object, range.begin);
    if (!contains(site.objects, name)) site.objects.push_back(name);
  }
  std::vector<std::string> held;
  for (const MustLock& lock : access.held) {
    if (lock.cell == kNoCell || held.size() == kMostNames) continue;
    const PointsTo& points_to = model_.points_to();
    const std::string name = object_name(points_to.object_of(lock.cell), points_to.offset_of(lock.cell));
    if (!contains(held, name)) held.push_back(name);
  }
  if (described_.insert(number).second) {
    site.locks = std::move(held);
  } else {
    site.locks.erase(std::remove_if(site.locks.begin(), site.locks.end(),
                                    [&](const std::string& name) { return !contains(held, name); }),
                     site.locks.end());
  }
}

}  // namespace ravel

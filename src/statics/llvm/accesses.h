// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The operations of each class of threads, with the memory they may touch and the locks around them, as the pairs need
// them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "statics/llvm/call_table.h"
#include "statics/llvm/contexts.h"
#include "statics/llvm/locksets.h"
#include "statics/llvm/thread_classes.h"

namespace ravel {

struct MemoryRange {
  MemoryId object = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] auto key() const { return std::tie(object, begin, end); }
  friend bool operator<(const MemoryRange& a, const MemoryRange& b) { return a.key() < b.key(); }
};

// What a site is: an operation of the sources, all operations of one kind in a line, or those of whatever thread.
enum class SiteDetail : std::uint8_t { kOperation, kLine, kLineOfAny };

struct MemoryAccess {
  unsigned thread_class = 0;
  SiteKind kind = SiteKind::kRead;
  const llvm::Instruction* instruction = nullptr;
  std::vector<MemoryRange> ranges;   // memory, locks or conditions; sorted
  std::vector<MemoryRange> mutexes;  // of a wait
  LockSet held;
  std::set<std::pair<std::int64_t, bool>>
      distances;                // of locks beside the data: offset of the data less that of the lock, shared
  std::vector<unsigned> sites;  // of Facts::sites
};

// Memory that two threads can reach: from globals, or from what a new thread is given.
class Shared {
 public:
  Shared(const PointerModel& model, const ThreadClasses& classes);
  [[nodiscard]] bool contains(MemoryId object) const { return objects_.count(object) != 0; }

 private:
  std::set<MemoryId> objects_;
};

class Accesses {
 public:
  Accesses(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes, const Locksets& locks,
           const Shared& shared, const FunctionContexts& contexts, SiteDetail detail, std::vector<Site>& sites);
  [[nodiscard]] const std::vector<MemoryAccess>& all() const { return accesses_; }
  [[nodiscard]] std::string object_name(MemoryId object, std::int64_t offset) const;
  // The access touches one object for certain.
  [[nodiscard]] bool is_exact(const MemoryAccess& access) const {
    return access.ranges.size() == 1 && several_.count(access.ranges[0].object) == 0;
  }

 private:
  [[nodiscard]] std::string name_of(MemoryId object) const;
  // After the budget: objects that one operation may touch become one.
  void join_objects(const Shared& shared);
  [[nodiscard]] MemoryId joined(MemoryId object) const;
  void add(unsigned thread_class, const llvm::Instruction& instruction, const Operation& operation);
  // The user statements that an instruction belongs to: its own place, or those that call the library function it
  // stands in.
  const std::set<CodePlace>& callers_of(const llvm::Function& function, unsigned thread_class);
  const std::optional<CodePlace>& place_of(const llvm::Instruction& instruction);
  std::vector<CodePlace> places_of(const llvm::Instruction& instruction, unsigned thread_class);
  [[nodiscard]] std::vector<MemoryRange> ranges_of(const CellSet& cells, std::int64_t bytes) const;
  unsigned site(unsigned thread_class, SiteKind kind, const CodePlace& place, const llvm::Instruction& instruction);
  // A site of several instructions holds what all of them hold.
  void describe(unsigned site, const MemoryAccess& access);

  const PointerModel& model_;
  const CallTable& calls_;
  const ThreadClasses& classes_;
  const Locksets& locks_;
  const FunctionContexts& contexts_;
  const SiteDetail detail_;
  std::vector<Site>& sites_;
  std::vector<MemoryAccess> accesses_;
  std::map<std::pair<const llvm::Function*, unsigned>, std::set<CodePlace>> callers_;
  std::map<std::tuple<unsigned, SiteKind, CodePlace, CodePlace>, unsigned> known_;
  std::set<unsigned> described_;
  std::vector<MemoryId> joined_;  // by object; empty: none are
  std::set<MemoryId> several_;    // that stand for others too
  mutable std::map<MemoryId, std::string> names_;
  // By debug location: many copies of an instruction have the same.
  using Places = std::unordered_map<const llvm::DILocation*, std::optional<CodePlace>>;
  Places places_;
  Places inner_places_;
};

}  // namespace ravel

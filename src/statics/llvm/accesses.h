// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The operations of each class of threads, with the memory they may touch and the locks around them, as the pairs need
// them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "statics/llvm/contexts.h"
#include "statics/llvm/locksets.h"
#include "statics/llvm/thread_classes.h"

namespace ravel {

struct MemoryRange {
  ObjectId object = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct Access {
  unsigned thread_class = 0;
  SiteKind kind = SiteKind::kRead;
  const llvm::Instruction* instruction = nullptr;
  std::vector<MemoryRange> ranges;   // memory, locks or conditions
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
  [[nodiscard]] bool contains(ObjectId object) const { return objects_.count(object) != 0; }

 private:
  std::set<ObjectId> objects_;
};

class Accesses {
 public:
  Accesses(const PointerModel& model, const ThreadClasses& classes, const Locksets& locks,
           const FunctionContexts& contexts, std::vector<Site>& sites);
  [[nodiscard]] const std::vector<Access>& all() const { return accesses_; }
  [[nodiscard]] std::string object_name(ObjectId object, std::int64_t offset) const;

 private:
  [[nodiscard]] std::string name_of(ObjectId object) const;
  void add(unsigned thread_class, const llvm::Instruction& instruction, const Operation& operation);
  // The user statements that an instruction belongs to: its own place, or those that call the library function it
  // stands in.
  const std::set<CodePlace>& callers_of(const llvm::Function& function, unsigned thread_class);
  std::vector<CodePlace> places_of(const llvm::Instruction& instruction, unsigned thread_class);
  std::vector<MemoryRange> ranges_of(const CellSet& cells, std::int64_t bytes) const;
  unsigned site(unsigned thread_class, SiteKind kind, const CodePlace& place, const llvm::Instruction& instruction);
  // A site of several instructions holds what all of them hold.
  void describe(unsigned site, const Access& access);

  const PointerModel& model_;
  const ThreadClasses& classes_;
  const Locksets& locks_;
  const FunctionContexts& contexts_;
  std::vector<Site>& sites_;
  std::vector<Access> accesses_;
  std::map<std::pair<const llvm::Function*, unsigned>, std::set<CodePlace>> callers_;
  std::map<std::tuple<unsigned, SiteKind, CodePlace, CodePlace>, unsigned> known_;
  std::set<unsigned> described_;
  mutable std::map<ObjectId, std::string> names_;
};

}  // namespace ravel

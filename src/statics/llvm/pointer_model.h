// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The module as constraints for points_to.h, with the call graph and the threads found on the way: a function is read
// when something that runs can call it. Virtual calls, function pointers and std::function need no guess by types,
// their targets are points-to sets.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "statics/llvm/library_calls.h"
#include "statics/llvm/points_to.h"

namespace ravel {

// A call that starts a thread, with one entry it may have.
struct Creation {
  const llvm::CallBase* call = nullptr;
  llvm::Function* entry = nullptr;  // a copy of its own when several creations share the function
  const llvm::Function* original = nullptr;
  MemoryId thread = 0;  // what a handle points to
  bool again = false;   // one call may start any number, at a time too: a timer
};

class PointerModel {
 public:
  explicit PointerModel(llvm::Module& module);

  void solve(std::chrono::nanoseconds deadline);

  [[nodiscard]] const PointsTo& points_to() const { return points_to_; }
  // When all is solved: what a pointer may point to, without threads and memory that is never written. One set for all
  // pointers of a class.
  [[nodiscard]] const CellSet& memory(const llvm::Value* pointer) const;
  // What the cells that `pointer` points to hold, in the same way.
  [[nodiscard]] const CellSet& memory_behind(const llvm::Value* pointer) const;
  // ... with threads.
  [[nodiscard]] CellSet held_behind(const llvm::Value* pointer) const;
  [[nodiscard]] CellSet held_by(const llvm::Value* value) const;
  [[nodiscard]] CellSet held_in(CellId cell) const { return points_to_.targets(cell); }
  [[nodiscard]] const std::vector<const llvm::Function*>& functions() const {
    return functions_;
  }  // with a body, reached
  [[nodiscard]] const std::set<const llvm::Function*>& callees(const llvm::CallBase& call) const;
  // Functions that run when the program ends, on main.
  [[nodiscard]] const std::set<const llvm::Function*>& late_functions() const { return late_; }
  // Functions that may run on any thread: destructors of thread-specific data, signal handlers.
  [[nodiscard]] const std::set<const llvm::Function*>& anywhere_functions() const { return anywhere_; }
  [[nodiscard]] const std::vector<Creation>& creations() const { return creations_; }
  // Calls of code outside the module, and the functions that it may run in threads of its own.
  [[nodiscard]] const std::vector<const llvm::CallBase*>& outside_calls() const { return outside_calls_; }
  [[nodiscard]] const std::set<const llvm::Function*>& outside_entries() const { return outside_entries_; }
  // The memory that such code can reach from what it was given.
  [[nodiscard]] CellSet outside_cells() const;
  [[nodiscard]] const std::vector<const llvm::Function*>& initialisers() const { return initialisers_; }
  // An exception, in a program that hands them over (std::exception_ptr).
  [[nodiscard]] bool may_be_rethrown(const MemoryObject& object) const;
  // Functions of the user's without a body, by linked name.
  [[nodiscard]] const std::set<std::string>& opaque() const { return opaque_; }
  [[nodiscard]] llvm::Module& module() const { return module_; }

 private:
  NodeId node(const llvm::Value* value);
  void initialise(MemoryId object, std::int64_t offset, const llvm::Constant* value);
  MemoryId object_of_global(const llvm::GlobalVariable& variable);
  void read_constant(const llvm::Value* value, NodeId id);
  void reach(const llvm::Function* function);
  void read(const llvm::Function& function);
  void read_instruction(const llvm::Instruction& instruction);
  void read_memory(const llvm::Instruction& instruction);
  void read_value(const llvm::Instruction& instruction);
  void read_offset(const llvm::GEPOperator& offset, NodeId from, NodeId to);
  void read_call(const llvm::CallBase& call);
  void read_assembly(const llvm::CallBase& call);
  void link(const llvm::CallBase& call, const llvm::Function& callee);
  bool link_library(const llvm::CallBase& call, const llvm::Function& callee);
  void allocate(const llvm::CallBase& call, const llvm::Function& callee, bool into);
  void link_nodes(const llvm::CallBase& call);
  void call_once(const llvm::CallBase& call);
  void link_unknown(const llvm::CallBase& call, const llvm::Function& callee);
  NodeId outside_holds();
  // One node for all of a kind; `which` is made when it is asked for.
  NodeId common(NodeId& which);
  bool link_values(const llvm::CallBase& call, LibraryCall kind);
  void return_static_memory(const llvm::CallBase& call, const llvm::Function& callee);
  void add_given(const llvm::Value& argument, std::vector<CellId>& found) const;
  bool call_from_outside();
  void start_outside(const llvm::Function& function);
  void pass_arguments(const llvm::CallBase& call, const llvm::Function& callee);
  void call_back(const llvm::CallBase& call, NodeId function, LibraryCall when);
  void create(const llvm::CallBase& call, LibraryCall kind);
  void create_notified(const llvm::CallBase& call);
  // The call that a copy of an entry has it from.
  [[nodiscard]] const llvm::CallBase* origin_of(const llvm::CallBase& call) const;
  llvm::Function* copy_entry(llvm::Function& entry);
  void start_thread(const llvm::CallBase& call, const llvm::Function& entry, NodeId argument, bool again = false);
  void load_fields(NodeId pointer, llvm::Type* type, NodeId to);
  void store_fields(const llvm::Value* value, NodeId pointer);
  [[nodiscard]] bool carries_pointer(llvm::Type* type) const;
  [[nodiscard]] bool is_no_adjustment(const llvm::Value* index) const;
  using SetByClass = std::unordered_map<NodeId, CellSet>;
  template <class Make>
  [[nodiscard]] const CellSet& known_set(SetByClass& known, const llvm::Value* pointer, const Make& make) const;
  [[nodiscard]] CellSet without_constants(const CellSet& cells) const;
  [[nodiscard]] const llvm::Function* function_at(CellId cell) const;

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  PointsTo points_to_;
  std::unordered_map<const llvm::Value*, NodeId> nodes_;
  mutable SetByClass memory_;
  mutable SetByClass memory_behind_;
  std::map<const llvm::Function*, NodeId> results_;
  std::set<const llvm::Function*> reached_;
  std::vector<const llvm::Function*> waiting_;
  std::vector<const llvm::Function*> functions_;
  std::unordered_map<const llvm::CallBase*, std::set<const llvm::Function*>> callees_;
  std::set<const llvm::Function*> no_callees_;
  std::set<const llvm::Function*> late_;
  std::set<const llvm::Function*> anywhere_;
  std::vector<Creation> creations_;
  std::map<std::pair<const llvm::CallBase*, const llvm::Function*>, std::size_t> started_;
  std::map<std::pair<const llvm::CallBase*, const llvm::Function*>, llvm::Function*> copies_;  // by origin of the call
  std::map<const llvm::CallBase*, const llvm::CallBase*> origins_;
  std::map<const llvm::CallBase*, MemoryId> threads_;
  std::set<const llvm::Function*> entries_;
  std::vector<const llvm::Function*> initialisers_;
  std::set<std::string> opaque_;
  NodeId outside_ = kNoCell;   // what code outside the module has been given; kNoCell: there is none
  NodeId specific_ = kNoCell;  // thread-specific data, whatever the key
  NodeId ended_ = kNoCell;     // what threads return
  NodeId thrown_ = kNoCell;    // exceptions
  std::map<const llvm::Function*, NodeId> static_memory_;  // of functions of the C library that return pointers
  std::vector<const llvm::CallBase*> outside_calls_;
  std::set<const llvm::Function*> outside_entries_;
  bool adjusts_this_ = false;  // some member pointer is of a second base class
};

}  // namespace ravel

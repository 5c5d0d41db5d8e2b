// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the events of one execution are about, in a form that is comparable between executions: places of the user's own
// code instead of addresses inside headers of the system, objects by where they were made, threads by what they run
// (which is only known at the end of the execution).
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "cover/cover_tables.h"
#include "model/coverage.h"
#include "model/trace_view.h"

namespace ravel {

inline constexpr std::uint32_t kCoverThreads = 1u << 14;

struct IdentityModes {
  ThreadIdentity threads = ThreadIdentity::kAbstract;
  ObjectIdentity objects = ObjectIdentity::kAbstract;
  std::uint32_t functions = 20;  // n
};

class Identity {
 public:
  static constexpr std::uint32_t kLargeObject = 256;  // above: all elements of one size are one field

  Identity(std::pmr::memory_resource& memory, CoverTables& tables, IdentityModes modes);
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  void begin(const TraceView& trace);

  // 0: the event has none.
  [[nodiscard]] Atom place(const Event& e) { return place(e.location, e.context); }
  [[nodiscard]] Atom place(LocationId location, ContextId context);
  // A part of an object; size 0: a synchronisation object, which is never one of many fields.
  [[nodiscard]] Atom object(ObjectId object, std::uint32_t offset, std::uint32_t size);
  [[nodiscard]] Atom lock(std::uint64_t place) {
    return object(static_cast<ObjectId>(place >> 32), static_cast<std::uint32_t>(place), 0);
  }
  // The thread as it is now: with the job that it does.
  [[nodiscard]] Atom who(ThreadIndex thread) {
    const std::uint32_t* job = some_jobs_ ? jobs_.find(thread) : nullptr;
    return make_atom(AtomKind::kThread, job == nullptr ? thread.number() : *job);
  }
  // An event of kind kJob.
  void begin_job(const Event& e);
  // The execution is over: kThread and kThreadType of this execution as rows of the tables.
  [[nodiscard]] Atom resolve(Atom atom);
  // The execution is over: its threads are counted by all that tells them apart, and the objects of a new task.
  void count_threads();
  void count_object(Atom atom);
  [[nodiscard]] bool truncated() const { return truncated_; }
  // Objects on a stack: whose it is; kNoThread: not on a stack.
  [[nodiscard]] ThreadIndex stack_owner(ObjectId object) const;
  // State of the C library or the kernel, which is no memory of the program.
  [[nodiscard]] bool is_library_state(ObjectId object) const;

 private:
  [[nodiscard]] bool is_system(LocationId location) const;
  [[nodiscard]] LocationId user_location(LocationId location, ContextId context) const;
  [[nodiscard]] std::uint32_t row_of_object(ObjectId object);
  // `row` is one of FirstFunctions: a thread, or a job of one.
  [[nodiscard]] std::uint32_t row_of_thread(std::uint32_t row, ThreadIdentity how);
  [[nodiscard]] ThreadIdentityRecord describe(std::uint32_t row, ThreadIdentity how);
  [[nodiscard]] ObjectIdentityRecord describe(ObjectId id, const ObjectRecord& object);
  [[nodiscard]] ThreadIndex thread_of(std::uint32_t row) const;
  [[nodiscard]] std::uint64_t lineage(ThreadIndex thread);
  void count_thread(std::uint32_t row);
  void count_heap(const ObjectRecord& object, LocationId site);

  // What an object was made a row of, the last time that its number was used.
  struct KnownObject {
    ObjectRecord object;  // without its address
    std::uint64_t lineage;
    std::uint32_t row;
  };
  struct KnownThread {
    FirstFunctions functions;
    std::uint64_t lineage;
    std::uint32_t row;  // as an abstract thread; kFull: not asked for yet
  };
  [[nodiscard]] KnownThread look_at_thread(std::uint32_t row);
  [[nodiscard]] KnownThread* same_thread_before(std::uint32_t row, const KnownThread& now);

  CoverTables& tables_;
  const IdentityModes modes_;
  TraceView trace_;
  PlaceMap places_;  // context << 32 | location -> LocationId; lasts over executions
  SparseArray<std::uint32_t> objects_;
  SparseArray<KnownObject> known_objects_;  // lasts over executions
  SparseArray<KnownThread> known_threads_;  // lasts over executions; by row
  SparseArray<std::uint64_t> lineages_;
  SparseArray<std::uint32_t> jobs_;  // rows of FirstFunctions by thread
  PlaceMap threads_;                 // row << 2 | identity -> row + 1
  std::uint32_t job_rows_ = 0;       // jobs that have begun
  bool some_jobs_ = false;
  bool truncated_ = false;
};

}  // namespace ravel

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
  // The execution is over: kThread and kThreadType of this execution as rows of the tables.
  [[nodiscard]] Atom resolve(Atom atom);
  // Objects on a stack: whose it is; kNoThread: not on a stack.
  [[nodiscard]] ThreadIndex stack_owner(ObjectId object) const;

 private:
  [[nodiscard]] bool is_system(LocationId location) const;
  [[nodiscard]] LocationId user_location(LocationId location, ContextId context) const;
  [[nodiscard]] std::uint32_t row_of_object(ObjectId object);
  [[nodiscard]] std::uint32_t row_of_thread(ThreadIndex thread, ThreadIdentity how);
  [[nodiscard]] ThreadIdentityRecord describe(ThreadIndex thread, ThreadIdentity how);

  CoverTables& tables_;
  const IdentityModes modes_;
  TraceView trace_;
  PlaceMap places_;  // context << 32 | location -> LocationId; lasts over executions
  SparseArray<std::uint32_t> objects_;
  PlaceMap threads_;  // index << 2 | identity -> row + 1
};

}  // namespace ravel

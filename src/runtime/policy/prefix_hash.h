// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The state that the operations executed so far have led to, as one number: equal for orders that differ only in
// operations that do not touch each other. An operation's hash covers its thread's operations before it and those on
// its memory that it is ordered with; the state is the sum over all. Nothing of it depends on addresses.
//
// Plain accesses that are no scheduling points are not seen: without a race their order follows from the rest.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "runtime/policy/thread_table.h"
#include "semantics/effects.h"
#include "semantics/operation_view.h"

namespace ravel {

class PrefixHash {
 public:
  void begin() {
    sum_ = 0;
    threads_.forget_all();
    if (++generation_ != 0) return;
    for (Place& place : places_) place.generation = 0;  // once in four billion executions
    generation_ = 1;
  }

  // Of the state behind the operation.
  [[nodiscard]] std::uint64_t with(const OperationView& operation) { return sum_ + hash_of(operation); }

  void add(const OperationView& operation) {
    const std::uint64_t hash = hash_of(operation);
    sum_ += hash;
    threads_.store(operation.thread, hash);
    if (operation.kind == OpKind::kThreadCreate) threads_.store(static_cast<ThreadIndex>(operation.value), mix64(hash));
    if (op_class(operation.kind) == OpClass::kLifecycle) return;
    Place& place = slot_of(operation.place);
    if (writes(operation.kind)) {
      place = {operation.place, hash, 0, generation_};
    } else {
      place.reads += hash;
    }
  }
  // A data choice of the thread that runs.
  void add_choice(ThreadIndex thread, std::uint32_t taken) {
    const std::uint64_t hash = hash_combine(hash_combine(of_thread(thread), 0xc401ce), taken);
    sum_ += hash;
    threads_.store(thread, hash);
  }

 private:
  static constexpr std::uint32_t kPlaces = 1u << 12;
  struct Place {
    std::uint64_t place;
    std::uint64_t write;  // hash of the last one
    std::uint64_t reads;  // since then, the sum
    std::uint32_t generation;
  };

  [[nodiscard]] std::uint64_t of_thread(ThreadIndex thread) {
    const std::uint64_t* hash = threads_.find(thread);
    return hash == nullptr ? mix64(thread + 1) : *hash;
  }

  [[nodiscard]] std::uint64_t hash_of(const OperationView& operation) {
    std::uint64_t hash = hash_combine(of_thread(operation.thread), std::uint64_t{operation.location} << 8 |
                                                                       static_cast<std::uint64_t>(operation.kind));
    if (op_class(operation.kind) == OpClass::kLifecycle) {
      if (operation.kind != OpKind::kThreadJoin) return hash;
      return hash_combine(hash, of_thread(static_cast<ThreadIndex>(operation.value)));
    }
    const Place& place = slot_of(operation.place);
    hash = hash_combine(hash, place.write);
    return writes(operation.kind) ? hash_combine(hash, place.reads) : hash;
  }

  static bool writes(OpKind kind) {
    if (!is_memory_access(kind)) return true;
    return kind != OpKind::kRead && kind != OpKind::kAtomicLoad;
  }
  // A place that finds no room takes the slot of another, whose past is forgotten.
  [[nodiscard]] Place& slot_of(std::uint64_t address) {
    const auto first = static_cast<std::uint32_t>(mix64(address) % kPlaces);
    for (std::uint32_t i = 0; i < 8; ++i) {
      Place& place = places_[(first + i) % kPlaces];
      if (place.generation == generation_ && place.place == address) return place;
      if (place.generation == generation_) continue;
      place = {address, 0, 0, generation_};
      return place;
    }
    return places_[first] = {address, 0, 0, generation_};
  }

  std::uint64_t sum_ = 0;
  std::uint32_t generation_ = 0;
  Place places_[kPlaces] = {};
  ThreadTable<std::uint64_t> threads_{};
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The state that the operations executed so far have led to, as one number: equal for orders that differ only in
// operations that do not touch each other. An operation's hash covers its thread's operations before it and those on
// its memory that it is ordered with; the state is the sum over all. Nothing of it depends on addresses.
//
// Plain accesses that are no scheduling points are not seen: without a race their order follows from the rest. Equal
// numbers mean equal states as long as is_exact(): accesses overlap fully or not at all, no place was forgotten for
// want of room, and every operation is one whose effect is known (Reasoning).
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "model/operation.h"
#include "runtime/policy/access_shapes.h"
#include "runtime/policy/thread_table.h"
#include "semantics/effects.h"
#include "semantics/operation_view.h"

namespace ravel {

class PrefixHash {
 public:
  void begin() {
    sum_ = 0;
    exact_ = true;
    threads_.forget_all();
    shapes_.begin();
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
    if (!is_known(operation.kind)) exact_ = false;
    if (op_class(operation.kind) == OpClass::kLifecycle) return;
    if (is_in_memory(operation.kind) && !shapes_.fits(operation.place, operation.size)) exact_ = false;
    touch(operation.place, hash, writes(operation.kind));
    if (uses_mutex(operation.kind)) touch(operation.value, hash, true);
  }
  // A data choice of the thread that runs.
  void add_choice(ThreadIndex thread, std::uint32_t taken) {
    const std::uint64_t hash = hash_combine(hash_combine(of_thread(thread), 0xc401ce), taken);
    sum_ += hash;
    threads_.store(thread, hash);
  }

  // The state as it is.
  [[nodiscard]] std::uint64_t present() const { return sum_; }
  [[nodiscard]] bool is_exact() const { return exact_; }

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
    hash = after(hash, operation.place, writes(operation.kind));
    return uses_mutex(operation.kind) ? after(hash, operation.value, true) : hash;
  }

  // Behind what is ordered with it at the place.
  [[nodiscard]] std::uint64_t after(std::uint64_t hash, std::uint64_t address, bool writes) {
    const Place& place = slot_of(address);
    hash = hash_combine(hash, place.write);
    return writes ? hash_combine(hash, place.reads) : hash;
  }
  void touch(std::uint64_t address, std::uint64_t hash, bool writes) {
    Place& place = slot_of(address);
    if (writes) {
      place = {address, hash, 0, generation_};
    } else {
      place.reads += hash;
    }
  }

  // A futex looks at its word.
  static bool is_in_memory(OpKind kind) { return is_memory_access(kind) || family_of(kind) == OpFamily::kFutex; }
  // A wait for a condition gives its mutex back, and takes it again.
  static bool uses_mutex(OpKind kind) { return kind == OpKind::kCondWait || kind == OpKind::kCondReacquire; }
  // Of others the order may matter with operations elsewhere: time passes, signals and descriptors have threads of
  // their own.
  static bool is_known(OpKind kind) {
    if (reasoning_of(kind) == Reasoning::kUnknown) return false;
    switch (op_class(kind)) {
      case OpClass::kTime:
        return kind == OpKind::kYield || kind == OpKind::kMark;
      case OpClass::kSync:
        return kind <= OpKind::kFutexWake || kind == OpKind::kSemValue;
      default:
        return true;
    }
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
    exact_ = false;
    return places_[first] = {address, 0, 0, generation_};
  }

  std::uint64_t sum_ = 0;
  std::uint32_t generation_ = 0;
  bool exact_ = false;
  AccessShapes shapes_{};
  Place places_[kPlaces] = {};
  ThreadTable<std::uint64_t> threads_{};
};

}  // namespace ravel

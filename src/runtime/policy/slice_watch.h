// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the executions of a sliced search show of the program's threads, for the tool to grow the slice by: which there
// are and where they were created, the places each has been at, the memory it touched and the locks it held then.
#pragma once

#include <cstdint>
#include <span>

#include "model/guide.h"
#include "model/slice.h"
#include "semantics/effects.h"
#include "semantics/operation_view.h"

namespace ravel {

class SliceWatch {
 public:
  static constexpr std::uint32_t kMostCalls = 64;

  void begin(SliceSeen* seen) {
    seen_ = seen;
    for (Held& held : held_) held = {};
  }

  void enter(ThreadName name, std::uint32_t creator, LocationId created_at) {
    if (seen_ == nullptr || index_of(name) != kNoSliceThread) return;
    if (seen_->count >= kMaxSliceThreads) {
      seen_->left_out = 1;
      return;
    }
    SeenThread& thread = seen_->threads[seen_->count];
    thread.name = name;
    thread.creator = creator;
    thread.created_at = created_at;
    ++seen_->count;
  }

  [[nodiscard]] std::uint32_t index_of(ThreadName name) const {
    for (std::uint32_t i = 0; seen_ != nullptr && i < seen_->count && i < kMaxSliceThreads; ++i) {
      if (seen_->threads[i].name == name) return i;
    }
    return kNoSliceThread;
  }

  // `stack`: the operation's location, then the calls around it, innermost first.
  void executed(ThreadName name, const OperationView& operation, const Guide& guide,
                std::span<const LocationId> stack) {
    const std::uint32_t index = index_of(name);
    if (index == kNoSliceThread) return;
    SeenThread& thread = seen_->threads[index];
    for (const LocationId location : stack) {
      const GuidePlace* place = guide.find(location);
      if (place == nullptr) continue;
      const auto at = static_cast<std::size_t>(place - guide.places.data());
      if (at < kMaxSeenPlaces) thread.reached[at / 64] |= std::uint64_t{1} << at % 64;
    }
    Held& held = held_[index];
    if (operation.kind == OpKind::kMutexLock || operation.kind == OpKind::kRwWriteLock ||
        operation.kind == OpKind::kRwReadLock) {
      if (held.count < Held::kMost) held.locks[held.count++] = operation.place;
    } else if (operation.kind == OpKind::kMutexUnlock || operation.kind == OpKind::kRwUnlock) {
      held.release(operation.place);
    } else if (is_memory_access(operation.kind)) {
      touch(thread, operation, held.bits());
    }
  }

 private:
  struct Held {
    static constexpr std::uint32_t kMost = 8;
    std::uint64_t locks[kMost] = {};
    std::uint32_t count = 0;

    void release(std::uint64_t lock) {
      for (std::uint32_t i = count; i > 0; --i) {
        if (locks[i - 1] != lock) continue;
        locks[i - 1] = locks[--count];
        return;
      }
    }
    [[nodiscard]] std::uint64_t bits() const {
      std::uint64_t bits = 0;
      for (std::uint32_t i = 0; i < count; ++i) bits |= std::uint64_t{1} << (mix64(locks[i]) & 63);
      return bits;
    }
  };

  static void touch(SeenThread& thread, const OperationView& operation, std::uint64_t locks) {
    const bool writes = operation.kind != OpKind::kRead && operation.kind != OpKind::kAtomicLoad;
    for (std::uint32_t i = 0; i < thread.memory_count && i < SeenThread::kMemory; ++i) {
      SeenMemory& memory = thread.memory[i];
      if (memory.address != operation.place) continue;
      memory.locks &= locks;
      memory.wrote |= writes ? 1 : 0;
      return;
    }
    if (thread.memory_count >= SeenThread::kMemory) return;
    thread.memory[thread.memory_count++] = {operation.place, locks, writes ? 1u : 0u, 0};
  }

  SliceSeen* seen_ = nullptr;
  Held held_[kMaxSliceThreads] = {};
};

}  // namespace ravel

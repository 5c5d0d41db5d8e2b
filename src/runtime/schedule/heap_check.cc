// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/heap_check.h"

#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/recorder.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

void keep(const BlockInfo& block, std::uintptr_t address) {
  ExecutionResult& result = g.block->result;
  if (result.outcome != OutcomeKind::kNotRun && result.outcome != OutcomeKind::kCompleted) return;
  result.heap.allocated = {block.thread, location_of(block.site), block.slot->allocated_context};
  result.heap.freed = {block.slot->freed_by, block.slot->freed_location, block.slot->freed_context};
  result.heap.size = block.size;
  result.heap.offset = static_cast<std::uint32_t>(address - block.base);
  result.heap.ordinal = block.ordinal;
}

bool touches_memory(OpKind kind) {
  switch (kind) {
    // By address: the kernel does not look at the word, and libstdc++ relies on it.
    case OpKind::kFutexWake:
    case OpKind::kFutexRequeue:
    case OpKind::kFutexResume:
    // malloc looks at it.
    case OpKind::kHeapFree:
      return false;
    // Once a thread has been woken, the object is not needed any more: the C++ standard lets a condition variable be
    // destroyed when all waiters have been notified, POSIX a barrier when its round is full.
    case OpKind::kCondReacquire:
    case OpKind::kBarrierLeave:
      return g.current->waiting != Waiting::kWoken;
    default:
      return true;
  }
}

// Code that works on vectors reads whole ones where the block ends within, and masks what is not its own: an aligned
// one cannot fault. The compiler does it as well.
bool is_end_in_vector(std::uintptr_t address, OpKind kind, std::uint32_t size, const BlockInfo& block) {
  constexpr std::uint32_t kVector = 16;
  return kind == OpKind::kRead && size == kVector && address % kVector == 0 && block.live &&
         address - block.base < block.size;
}

void describe_use(TextBuffer& out, OpKind kind, std::uint32_t size, std::uintptr_t address, const BlockInfo& block) {
  out.text(op_name(kind).data());
  if (size != 0) out.text(" of ").decimal(size).text(size == 1 ? " byte" : " bytes");
  const bool before = address < block.base;
  out.text(before ? " at offset -" : " at offset ").decimal(before ? block.base - address : address - block.base);
  out.text(block.live ? " of a block of " : " of a freed block of ");
  out.decimal(block.size).text(block.size == 1 ? " byte" : " bytes");
}

}  // namespace

bool is_in_freed_block(std::uintptr_t address) {
  BlockInfo block;
  return find_block(address, block) && !block.live;
}

void look_at_block(std::uintptr_t address, OpKind kind, std::uint32_t size, LocationId location) {
  if (!touches_memory(kind)) return;
  BlockInfo block;
  const BlockUse use = use_of_heap(address, size, block);
  if (use == BlockUse::kInside) return remember_block(block, address);
  if (use == BlockUse::kUnknown || is_end_in_vector(address, kind, size, block)) return;
  forget_plain_write();  // its memory may be the freed one, or the heap's own
  keep(block, address);
  char buffer[160];
  TextBuffer out(buffer, sizeof buffer);
  describe_use(out, kind, size, address, block);
  finish_failure(use == BlockUse::kFreed ? OutcomeKind::kUseAfterFree : OutcomeKind::kHeapOverflow, buffer, location);
}

void finish_double_free(const BlockInfo& block, LocationId location) {
  keep(block, block.base);
  char buffer[160];
  TextBuffer out(buffer, sizeof buffer);
  out.text("a block of ").decimal(block.size).text(" bytes was freed again");
  finish_failure(OutcomeKind::kDoubleFree, buffer, location);
}

}  // namespace ravel::rt

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/memory/heap.h"

#include <pthread.h>

#include <atomic>

#include "runtime/memory/hooks.h"
#include "runtime/memory/region.h"

namespace ravel::rt {

static_assert(sizeof(Region) + kRegionBytes + 2 * kSpanBytes <= kHeapBytes);

constinit HeapRange g_heap_range = {};
constinit bool g_alloc_refused = false;

namespace {

constinit std::atomic<Region*> g_heap{nullptr};
constinit SpinLock g_making;

// A child of fork has one thread: were another in the middle of the heap, the child would have half of its work and a
// lock that nobody gives back. This is the first handler to be registered, so none of the program's runs in between.
void lock_before_fork() {
  g_making.lock();
  if (Region* heap = g_heap.load(std::memory_order_relaxed); heap != nullptr) heap->lock();
}
void unlock_after_fork() {
  if (Region* heap = g_heap.load(std::memory_order_relaxed); heap != nullptr) heap->unlock();
  g_making.unlock();
}

Region* make_heap() {
  const Locked locked(g_making);
  Region* heap = g_heap.load(std::memory_order_relaxed);
  if (heap != nullptr) return heap;
  // A limit on address space may refuse the whole; a quarter of the size keeps the same shape.
  for (std::size_t bytes = kRegionBytes; heap == nullptr && bytes >= kRegionBytes / 64; bytes /= 4)
    heap = Region::create(kHeapAddress, bytes);
  if (heap != nullptr) {
    g_heap_range = {heap->data(), heap->data_bytes()};
    pthread_atfork(lock_before_fork, unlock_after_fork, unlock_after_fork);
  }
  g_heap.store(heap, std::memory_order_release);
  return heap;
}

// What was found last: an access is looked at, then named. Void when blocks change.
struct Found {
  std::uintptr_t address;
  BlockHeader* block;
};
constinit Found found = {};
void forget_found() {
  if (found.address != 0) found.address = 0;
}

Region* the_heap() {
  Region* heap = g_heap.load(std::memory_order_acquire);
  return __builtin_expect(heap != nullptr, 1) ? heap : make_heap();
}

std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

void* heap_allocate(std::size_t size, std::size_t alignment, std::uintptr_t pc, bool zero) {
  Region* heap = the_heap();
  g_alloc_refused = heap != nullptr && refuse_alloc(pc);
  if (heap == nullptr || g_alloc_refused) return nullptr;
  forget_found();
  BlockHeader* block = heap->allocate(size, alignment, heap_thread_index(), pc, zero);
  if (block == nullptr) return nullptr;
  on_alloc(block->info());
  return reinterpret_cast<void*>(block->payload());
}

namespace {
void release_block(Region& heap, void* pointer, std::uintptr_t pc) {
  BlockInfo block;
  forget_found();
  switch (heap.release(number(pointer), block)) {
    case FreeResult::kFreed:
      on_free(block, pc);
      break;
    case FreeResult::kInvalid:
      on_invalid_free(block, number(pointer), pc);
      break;
    case FreeResult::kForeign:
      break;  // ld.so's own early memory, for one: never reused, nothing to do
  }
}
}  // namespace

void heap_free(void* pointer, std::uintptr_t pc) {
  Region* heap = the_heap();
  if (heap == nullptr) return;
  before_free(number(pointer), pc);
  release_block(*heap, pointer, pc);
}

void* heap_reallocate(void* pointer, std::size_t size, std::uintptr_t pc) {
  Region* heap = the_heap();
  if (heap == nullptr) return nullptr;
  const std::size_t size_before = heap_size(pointer);
  forget_found();
  if (heap->resize_in_place(number(pointer), size)) {
    on_resize(number(pointer), size_before, size);
    return pointer;
  }
  void* moved = heap_allocate(size, kGranule, pc, false);
  if (moved == nullptr) return nullptr;
  if (heap->contains(number(pointer))) {
    before_free(number(pointer), pc);                 // others may run here: what they write is copied
    const std::size_t old_size = heap_size(pointer);  // another thread may have freed it
    copy_bytes(moved, pointer, old_size < size ? old_size : size);
    release_block(*heap, pointer, pc);
  } else {
    copy_what_is_mapped(moved, pointer, size);  // its length is unknown; bytes beyond its end may be anything
  }
  return moved;
}

std::size_t heap_size(const void* pointer) {
  const Region* heap = the_heap();
  const BlockHeader* block = heap != nullptr ? heap->block_at(number(pointer)) : nullptr;
  return block != nullptr && block->block_state() == BlockState::kLive ? block->size() : 0;
}

bool find_block(std::uintptr_t address, BlockInfo& out) {
  if (address != found.address) {
    const Region* heap = g_heap.load(std::memory_order_relaxed);
    found = {address, heap != nullptr ? heap->find(address) : nullptr};
  }
  if (found.block == nullptr) return false;
  out = found.block->info();
  return true;
}

BlockUse use_of_heap(std::uintptr_t address, std::size_t size, BlockInfo& out) {
  if (find_block(address, out)) {
    if (!out.live) return BlockUse::kFreed;
    return size <= out.size - (address - out.base) ? BlockUse::kInside : BlockUse::kOutside;
  }
  const Region* heap = g_heap.load(std::memory_order_relaxed);
  return heap != nullptr ? heap->use_of(address, size, out) : BlockUse::kUnknown;
}

void visit_heap(void (*visit)(void*, std::uintptr_t, std::uintptr_t), void* argument) {
  const Region* heap = g_heap.load(std::memory_order_relaxed);
  if (heap == nullptr) return;
  heap->visit_used([&](std::uintptr_t begin, std::uintptr_t end) { visit(argument, begin, end); });
}

}  // namespace ravel::rt

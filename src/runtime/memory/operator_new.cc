// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The replaceable operator new and delete, so that the allocation site is the program's `new`, not libstdc++.
//
// The program may replace some of them itself. The standard's defaults then call the replaced ones (new[] calls new,
// the sized delete calls the plain one, and so on), and so do ours: each first asks whether the function its default is
// built on is still ours. Failure goes through libstdc++ (new-handler, bad_alloc, catching for nothrow), as this
// library has no exceptions.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/memory/heap.h"
#include "runtime/memory/size_classes.h"

#pragma GCC visibility push(default)
namespace std {
__attribute__((weak)) new_handler get_new_handler() noexcept;
}
#pragma GCC visibility pop

namespace {

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

using ThrowFunction = void (*)();

[[noreturn]] void throw_bad_alloc() {
  if (void* found = dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv")) reinterpret_cast<ThrowFunction>(found)();
  __builtin_trap();
}

size_t alignment_of(align_val_t alignment) {
  const auto wanted = static_cast<size_t>(alignment);
  return wanted < ravel::rt::kGranule ? ravel::rt::kGranule : wanted;
}

void* try_new(size_t size, size_t alignment, std::uintptr_t pc) {
  return ravel::rt::heap_allocate(size, alignment, pc, false);
}

void* must_new(size_t size, size_t alignment, std::uintptr_t pc) {
  for (;;) {
    if (void* block = try_new(size, alignment, pc)) return block;
    const std::new_handler handler = std::get_new_handler != nullptr ? std::get_new_handler() : nullptr;
    if (handler == nullptr) throw_bad_alloc();
    handler();
  }
}

void release(void* pointer, std::uintptr_t pc) {
  if (pointer != nullptr) ravel::rt::heap_free(pointer, pc);
}

// libstdc++'s own nothrow form calls the throwing one and catches; it is asked when ours has no memory or was replaced.
void* nothrow_of_library(const char* symbol, size_t size, const nothrow_t& tag) {
  void* found = dlsym(RTLD_NEXT, symbol);
  return found != nullptr ? reinterpret_cast<void* (*)(size_t, const nothrow_t&)>(found)(size, tag) : nullptr;
}
void* nothrow_of_library(const char* symbol, size_t size, align_val_t alignment, const nothrow_t& tag) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) return nullptr;
  return reinterpret_cast<void* (*)(size_t, align_val_t, const nothrow_t&)>(found)(size, alignment, tag);
}

}  // namespace

// A hidden second name for our own definition, which nobody can replace; replacement() compares it with what the symbol
// means in this process. All in assembly: compilers take the two for one, and inline our own function for the call.
#define OWN_NAME(symbol) asm(".set ravel_own" symbol ", " symbol "\n.hidden ravel_own" symbol)
OWN_NAME("_Znwm");
OWN_NAME("_Znam");
OWN_NAME("_ZnwmSt11align_val_t");
OWN_NAME("_ZnamSt11align_val_t");
OWN_NAME("_ZdlPv");
OWN_NAME("_ZdaPv");
OWN_NAME("_ZdlPvSt11align_val_t");
OWN_NAME("_ZdaPvSt11align_val_t");

// The program's own definition of the symbol, or nullptr.
#define REPLACEMENT(Type, symbol)                                                                                  \
  ([] {                                                                                                            \
    void* meaning;                                                                                                 \
    void* own;                                                                                                     \
    asm("movq " symbol "@GOTPCREL(%%rip), %0\n\tleaq ravel_own" symbol "(%%rip), %1" : "=&r"(meaning), "=r"(own)); \
    return meaning != own ? reinterpret_cast<Type*>(meaning) : nullptr;                                            \
  }())

namespace {

using New = void*(size_t);
using AlignedNew = void*(size_t, align_val_t);
using Delete = void(void*);
using AlignedDelete = void(void*, align_val_t);

New* replaced_new() {
  return REPLACEMENT(New, "_Znwm");
}
AlignedNew* replaced_aligned_new() {
  return REPLACEMENT(AlignedNew, "_ZnwmSt11align_val_t");
}
bool any_new_replaced() {
  return REPLACEMENT(New, "_Znam") != nullptr || replaced_new() != nullptr;
}
bool any_aligned_new_replaced() {
  return REPLACEMENT(AlignedNew, "_ZnamSt11align_val_t") != nullptr || replaced_aligned_new() != nullptr;
}

void delete_one(void* pointer, std::uintptr_t pc) {
  if (Delete* theirs = REPLACEMENT(Delete, "_ZdlPv")) return theirs(pointer);
  release(pointer, pc);
}
void delete_array(void* pointer, std::uintptr_t pc) {
  if (Delete* theirs = REPLACEMENT(Delete, "_ZdaPv")) return theirs(pointer);
  delete_one(pointer, pc);
}
void delete_one(void* pointer, align_val_t alignment, std::uintptr_t pc) {
  if (AlignedDelete* theirs = REPLACEMENT(AlignedDelete, "_ZdlPvSt11align_val_t")) return theirs(pointer, alignment);
  release(pointer, pc);
}
void delete_array(void* pointer, align_val_t alignment, std::uintptr_t pc) {
  if (AlignedDelete* theirs = REPLACEMENT(AlignedDelete, "_ZdaPvSt11align_val_t")) return theirs(pointer, alignment);
  delete_one(pointer, alignment, pc);
}

}  // namespace

#define CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#pragma GCC visibility push(default)

void* operator new(size_t size) {
  return must_new(size, ravel::rt::kGranule, CALLER);
}
void* operator new[](size_t size) {
  if (New* theirs = replaced_new()) return theirs(size);
  return must_new(size, ravel::rt::kGranule, CALLER);
}
void* operator new(size_t size, align_val_t alignment) {
  return must_new(size, alignment_of(alignment), CALLER);
}
void* operator new[](size_t size, align_val_t alignment) {
  if (AlignedNew* theirs = replaced_aligned_new()) return theirs(size, alignment);
  return must_new(size, alignment_of(alignment), CALLER);
}

void* operator new(size_t size, const nothrow_t& tag) noexcept {
  ravel::rt::g_alloc_refused = false;
  void* block = replaced_new() != nullptr ? nullptr : try_new(size, ravel::rt::kGranule, CALLER);
  return block != nullptr || ravel::rt::g_alloc_refused ? block : nothrow_of_library("_ZnwmRKSt9nothrow_t", size, tag);
}
void* operator new[](size_t size, const nothrow_t& tag) noexcept {
  ravel::rt::g_alloc_refused = false;
  void* block = any_new_replaced() ? nullptr : try_new(size, ravel::rt::kGranule, CALLER);
  return block != nullptr || ravel::rt::g_alloc_refused ? block : nothrow_of_library("_ZnamRKSt9nothrow_t", size, tag);
}
void* operator new(size_t size, align_val_t alignment, const nothrow_t& tag) noexcept {
  ravel::rt::g_alloc_refused = false;
  void* block = replaced_aligned_new() != nullptr ? nullptr : try_new(size, alignment_of(alignment), CALLER);
  return block != nullptr || ravel::rt::g_alloc_refused
             ? block
             : nothrow_of_library("_ZnwmSt11align_val_tRKSt9nothrow_t", size, alignment, tag);
}
void* operator new[](size_t size, align_val_t alignment, const nothrow_t& tag) noexcept {
  ravel::rt::g_alloc_refused = false;
  void* block = any_aligned_new_replaced() ? nullptr : try_new(size, alignment_of(alignment), CALLER);
  return block != nullptr || ravel::rt::g_alloc_refused
             ? block
             : nothrow_of_library("_ZnamSt11align_val_tRKSt9nothrow_t", size, alignment, tag);
}

void operator delete(void* pointer) noexcept {
  release(pointer, CALLER);
}
void operator delete[](void* pointer) noexcept {
  delete_one(pointer, CALLER);
}
void operator delete(void* pointer, size_t) noexcept {
  delete_one(pointer, CALLER);
}
void operator delete[](void* pointer, size_t) noexcept {
  delete_array(pointer, CALLER);
}
void operator delete(void* pointer, const nothrow_t&) noexcept {
  delete_one(pointer, CALLER);
}
void operator delete[](void* pointer, const nothrow_t&) noexcept {
  delete_array(pointer, CALLER);
}

void operator delete(void* pointer, align_val_t) noexcept {
  release(pointer, CALLER);
}
void operator delete[](void* pointer, align_val_t alignment) noexcept {
  delete_one(pointer, alignment, CALLER);
}
void operator delete(void* pointer, size_t, align_val_t alignment) noexcept {
  delete_one(pointer, alignment, CALLER);
}
void operator delete[](void* pointer, size_t, align_val_t alignment) noexcept {
  delete_array(pointer, alignment, CALLER);
}
void operator delete(void* pointer, align_val_t alignment, const nothrow_t&) noexcept {
  delete_one(pointer, alignment, CALLER);
}
void operator delete[](void* pointer, align_val_t alignment, const nothrow_t&) noexcept {
  delete_array(pointer, alignment, CALLER);
}

#pragma GCC visibility pop

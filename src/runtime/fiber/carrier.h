// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Carriers: real pthreads that only lend their stack, thread pointer and thread-local storage, and are parked for ever.
// A virtual thread runs on the stack of its carrier, so that errno, thread_local, pthread_self, pthread_getattr_np and
// guard pages are those of a real thread. Stacks lie at fixed addresses, one stride a slot: addresses do not depend on
// ASLR, and an address determines its thread. Slot 0 is the main thread: its stack is ours too, its thread pointer is
// the process's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/state.h"

namespace ravel::rt {

inline constexpr std::uintptr_t kStackRegion = 0x520000000000ull;
inline constexpr std::size_t kStackStride = std::size_t{16} << 20;
inline constexpr std::size_t kStackBytes = std::size_t{8} << 20;  // usable by default, as on Linux
inline constexpr std::size_t kStackGuard = std::size_t{64} << 10;

inline constexpr std::uint32_t kPreparedCarriers = 16;

// Makes carriers for slots 1..count ahead of time, so that a fork finds them ready and has one OS thread only.
void prepare_carriers(std::uint32_t count);

// Carriers there are, main's slot included.
std::uint32_t carriers_made();

// The thread table; slots beyond those in use are untouched memory.
VirtualThread& thread_in_slot(std::uint32_t slot);

// A free slot with a carrier of at least `stack_bytes` (0: default), with fresh thread-local storage. nullptr: no more
// can be had.
VirtualThread* acquire_slot(std::size_t stack_bytes);
void release_slot(VirtualThread& thread);

// Highest usable stack address of a slot.
void* stack_top(std::uint32_t slot);
// Lowest usable address.
std::uintptr_t stack_bottom(std::uint32_t slot);

// The slot whose stack or thread-local storage holds the address, or -1.
int slot_of_address(std::uintptr_t address);
// Thread pointer of the slot's carrier, which is also its pthread_t.
std::uint64_t thread_pointer(std::uint32_t slot);

// Slot 0, the main thread: the caller's thread pointer, a stack of ours. Again: another caller.
void prepare_main_slot();
// Carriers made so far: OS threads that belong to the runtime.
std::uint32_t carrier_threads();

// Stacks, thread-local storage and the thread table, as ranges: of all slots, or of those that have had a thread.
void visit_thread_memory(bool all, void (*visit)(void*, std::uintptr_t, std::uintptr_t), void* argument);
bool is_thread_memory(std::uintptr_t address);

}  // namespace ravel::rt

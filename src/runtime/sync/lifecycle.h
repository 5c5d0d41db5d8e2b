// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Birth, end and joining of virtual threads, in pthread terms. Return values are errno numbers.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

// Makes the running context the main thread of an execution.
void begin_main_thread();
// The main thread, which has run for a while, is the only one and begins an execution where it stands.
void restart_main_thread();

int create_thread(pthread_t* handle, bool detached, std::size_t stack_bytes, void* (*start)(void*), void* argument,
                  LocationId location);
// The part of it that is no scheduling point and no event. nullptr: no more threads can be had.
VirtualThread* spawn(VirtualThread& parent, bool detached, std::size_t stack_bytes, void* (*start)(void*),
                     void* argument, LocationId location);
// deadline kNever: for ever; 0: only try.
int join_thread(pthread_t handle, void** result, std::uint64_t deadline, bool try_only, LocationId location);
int detach_thread(pthread_t handle, LocationId location);
// pthread_exit: unwinds the stack, runs destructors, ends the thread.
[[noreturn]] void exit_thread(void* result);

// The thread of a handle, or nullptr.
VirtualThread* thread_of(pthread_t handle);
// The thread that the handle names or named last, also if it is gone: joined, or ended and detached.
VirtualThread* last_thread_of(pthread_t handle);
bool is_gone(const VirtualThread& slot, ThreadIndex index);
pthread_t handle_of(const VirtualThread& thread);

}  // namespace ravel::rt

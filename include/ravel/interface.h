// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The functions of the runtime that ravel/ravel.h calls; test authors need not look at them. Plain C and fixed sizes:
// program and runtime may be compiled by different compilers. Weak: a program that is linked without the runtime finds
// null pointers here.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
struct ravel_explore_request {
  std::uint64_t bytes;  // of this record, for later versions
  void (*body)(void*);
  void* argument;
  const char* name;
  const char* strategy;
  const char* points;
  const char* faults;
  std::uint64_t iterations;
  std::uint64_t milliseconds;
  std::uint64_t seed;
  std::uint64_t max_steps;
  std::uint64_t max_faults;
};
struct ravel_explore_answer {
  std::uint64_t bytes;
  std::uint64_t executions;
  std::uint64_t distinct;
  std::uint64_t failing_execution;
  std::uint32_t explored;  // 0: the body was not run under control by this call
  std::uint32_t failed;
  std::uint32_t complete;
  std::uint32_t switches;
  char kind[24];       // "assertion", "deadlock", ...
  char message[1024];  // one line
  char place[256];     // function and module, as far as known without debug information
  char output[2048];   // end of what the failing execution wrote to stderr
  char error[1024];    // could not explore: why
};
__attribute__((weak)) void ravel_explore(const ravel_explore_request* request, ravel_explore_answer* answer);
__attribute__((weak)) std::uint32_t ravel_choose(std::uint32_t alternatives);
__attribute__((weak)) void ravel_label(const volatile void* object, std::size_t bytes, const char* name);
__attribute__((weak)) void ravel_check_failed(const char* what, const char* file, unsigned line);
// As ravel_check_failed, of an assertion that stands at the return address `place`; returns outside of executions.
__attribute__((weak)) void ravel_fail(const char* what, const char* file, unsigned line, const void* place);
__attribute__((weak)) int ravel_exploring();  // 1 inside of executions
__attribute__((weak)) void ravel_observe(const char* name, const char* value);
__attribute__((weak)) void ravel_mark(const char* name);
__attribute__((weak)) void ravel_progress();
__attribute__((weak)) void ravel_region(int enters);
__attribute__((weak)) void ravel_job();

// Messages (ravel/port.h, ravel/entry.h); inside of executions only. All zero is new.
struct ravel_queue;
struct ravel_enlisted {  // a queue that is an alternative of an inbox, in the order of the bits
  ravel_enlisted* next;
  ravel_queue* queue;
  std::uint64_t bit;
};
struct ravel_inbox {
  std::uint64_t open;
  std::uint64_t served;
  ravel_enlisted* queues;
};
struct ravel_end {  // of a port or an entry: where its calls go, and its bit there
  ravel_inbox* inbox;
  std::uint64_t bit;
};
struct ravel_message {
  ravel_message* next;
  std::uint64_t number;  // of one that travels by itself: its sender and number
};
struct ravel_queue {
  ravel_message* first;
  ravel_message* last;
  std::uint64_t put;
  std::uint64_t taken;
};
// The calls of an end go to another inbox from now on, also those that wait.
__attribute__((weak)) void ravel_inbox_join(ravel_end* end, ravel_inbox* inbox, std::uint64_t bit);
// The receiver is open to the ends of these bits; then it waits for a call and yields it. Null: nobody called, by
// `mode' at once (1), or for so many nanoseconds (2).
__attribute__((weak)) void ravel_inbox_open(ravel_inbox* inbox, std::uint64_t bits);
__attribute__((weak)) void* ravel_inbox_accept(ravel_inbox* inbox, int mode, std::uint64_t nanoseconds);
// The messages of the queue are alternatives, too, from now on; the bit is behind those that are there.
__attribute__((weak)) void ravel_enlist(ravel_inbox* inbox, ravel_enlisted* queue);
// Instead of ravel_inbox_accept: waits for calls and messages. Yields a call, or a message and in *from its queue.
__attribute__((weak)) void* ravel_select(ravel_inbox* inbox, int mode, std::uint64_t nanoseconds, ravel_queue** from);
// Returns when the receiver has the call, ravel_return() when it has replied.
__attribute__((weak)) void ravel_call(ravel_end* end, void* call);
__attribute__((weak)) void ravel_reply(std::uint64_t* replied);
__attribute__((weak)) void ravel_return(std::uint64_t* replied);
__attribute__((weak)) void ravel_send(ravel_queue* queue, ravel_message* message);
__attribute__((weak)) ravel_message* ravel_receive(ravel_queue* queue, int mode, std::uint64_t nanoseconds);
// Messages that travel by themselves; `in_order': those of one sender arrive in the order of sending.
__attribute__((weak)) void ravel_cast(ravel_queue* queue, ravel_message* message, int in_order);
__attribute__((weak)) ravel_message* ravel_deliver(ravel_queue* queue, int in_order, int mode,
                                                   std::uint64_t nanoseconds);

// Latches and barriers (ravel c++ --whole-sync); inside of executions only.
struct ravel_phase {
  std::uint32_t needed;
  std::uint32_t arrived;
  std::uint32_t phase;
  std::uint32_t dropped;
};
// The phase that it arrived in; *ended: it was the last one.
__attribute__((weak)) std::uint32_t ravel_phase_arrive(ravel_phase* phase, int drops, int* ended);
// Waits until the phase is over, or (`looks') says whether it is.
__attribute__((weak)) int ravel_phase_wait(ravel_phase* phase, std::uint32_t which, int looks);
}

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
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the compiler call-outs (runtime/callouts) ask of the layers below.
#pragma once

#include <cstdint>

#include "model/operation.h"
#include "runtime/record/watch.h"

namespace ravel::rt {

// A plain access about to happen. Only if g_watch.
void plain_access(std::uintptr_t address, std::uint32_t size, bool write, std::uintptr_t pc);
// The same through a volatile lvalue: a plain access, or an atomic one if the plan says so. At most 16 bytes.
void volatile_access(std::uintptr_t address, std::uint32_t size, bool write, std::uintptr_t pc);
// The same for the widths that have call-outs of their own. kFiltered: the address is one of those that the filter
// (access_filter.h) has cells for now.
template <std::uint32_t kBytes, bool kWrite, bool kFiltered>
void plain_access_of(std::uintptr_t address, std::uintptr_t pc);
#define PLAIN_ACCESSES_OF_WIDTH(how, width)                                      \
  how void plain_access_of<width, false, false>(std::uintptr_t, std::uintptr_t); \
  how void plain_access_of<width, false, true>(std::uintptr_t, std::uintptr_t);  \
  how void plain_access_of<width, true, false>(std::uintptr_t, std::uintptr_t);  \
  how void plain_access_of<width, true, true>(std::uintptr_t, std::uintptr_t);
#define FOR_EACH_PLAIN_ACCESS(how) \
  PLAIN_ACCESSES_OF_WIDTH(how, 1)  \
  PLAIN_ACCESSES_OF_WIDTH(how, 2)  \
  PLAIN_ACCESSES_OF_WIDTH(how, 4)  \
  PLAIN_ACCESSES_OF_WIDTH(how, 8)  \
  PLAIN_ACCESSES_OF_WIDTH(how, 16)
FOR_EACH_PLAIN_ACCESS(extern template)

// begin() is the scheduling point and may switch threads; between begin and end nothing else runs; end() records the
// event.
struct AtomicOp {
  OpKind kind;
  std::uint8_t order;
  std::uint16_t size;
  std::uintptr_t address;
  std::uintptr_t pc;
};
void atomic_begin(const AtomicOp& op);
// `value`: what was read (load, rmw, cas) or stored; `operand`: as SharedBlock::operands says; `changed`: the memory
// content differs now.
void atomic_end(const AtomicOp& op, std::uint64_t value, std::uint64_t operand, bool failed, bool changed);
// A load or store that the program makes itself, right after this.
void atomic_access(const AtomicOp& op);
void fence(int order, std::uintptr_t pc);

// Shadow call stack; while in control. `frame`: of the call-out, which is the same at a function's entry and exit.
void func_entry(std::uintptr_t caller_pc, std::uintptr_t frame, std::uintptr_t inside);
void func_exit(std::uintptr_t frame, std::uintptr_t returns_to);

void annotate_acquire(std::uintptr_t address, std::uintptr_t pc);
void annotate_release(std::uintptr_t address, std::uintptr_t pc);

// Fault injection: should this weak compare-exchange fail although the values agree?
bool weak_cas_fails(const AtomicOp& op);

}  // namespace ravel::rt

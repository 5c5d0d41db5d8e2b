// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Core as the call-outs see it, writing down what it is asked.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/access/access_api.h"

namespace ravel::rt {

struct Plain {
  std::uintptr_t address;
  std::uint32_t size;
  bool write;
  std::uintptr_t pc;
};
struct Atomic {
  AtomicOp op;
  std::uint64_t value;
  std::uint64_t operand;
  bool failed;
  bool changed;
};
struct Annotation {
  bool acquire;
  std::uintptr_t address;
};

struct FakeCore {
  std::vector<Plain> plain;
  std::vector<AtomicOp> begun;
  std::vector<Atomic> ended;
  std::vector<int> fences;
  std::vector<std::uintptr_t> entered;
  int left = 0;
  std::vector<Annotation> annotations;
  bool weak_fails = false;
  std::function<void()> other_thread;  // what runs at the scheduling point
};
extern FakeCore g_core;

}  // namespace ravel::rt

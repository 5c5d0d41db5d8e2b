// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs a toy program under a policy the way the runtime does: the policy is asked only when two or more threads are
// enabled, and told about everything that is executed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/policy/policy.h"
#include "support/model_program.h"

namespace ravel::toy {

struct Played {
  State state;
  std::vector<std::uint32_t> schedule;  // the thread of every step
  std::uint32_t decisions = 0;
  bool complete = false;  // every thread came to its end within the limit
};

Played run(const Program& program, const PolicySpec& spec, std::size_t max_steps = 10'000);

PolicySpec policy_spec(PolicyKind kind, std::uint64_t seed, std::uint16_t depth = 3, std::uint32_t length = 100);

// In how many of `runs` runs with different seeds `failed` holds at the end.
template <class Failed>
std::uint32_t count_failures(const Program& program, PolicySpec spec, std::uint32_t runs, Failed failed) {
  std::uint32_t failures = 0;
  for (std::uint32_t i = 0; i < runs; ++i) {
    spec.seed = i + 1;
    if (failed(run(program, spec))) ++failures;
  }
  return failures;
}

}  // namespace ravel::toy

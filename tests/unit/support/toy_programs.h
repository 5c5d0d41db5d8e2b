// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small programs with a known defect, shared by the tests of strategies and of the campaign.
#pragma once

#include <vector>

#include "support/model_program.h"

namespace ravel::testing {

inline toy::Step load_or_end(std::uint32_t at, std::uint32_t reg) {
  toy::Step step = toy::load(at, reg);
  step.flow = toy::Flow::kEndIfZero;
  return step;
}

// Load and store apart: two threads lose an update iff one is interrupted in between. One preemption.
inline toy::Program lost_update() {
  return {{{toy::load(0, 0), toy::store(0, 1, 1)}, {toy::load(0, 0), toy::store(0, 1, 1)}}, {}, {}};
}
inline toy::Program plain_lost_update() {
  toy::Program program = lost_update();
  for (auto& thread : program.threads) {
    thread[0].kind = OpKind::kRead;
    thread[1].kind = OpKind::kWrite;
  }
  return program;
}
inline bool update_lost(const toy::State& state) {
  return toy::read_memory(state, 0) != 2;
}

// T1 (of `steps` steps) runs as a whole between the two steps of T0. One preemption, depth 2.
inline toy::Program stand_still(unsigned steps) {
  std::vector<toy::Step> other = {load_or_end(0, 0)};
  for (unsigned i = 2; i < steps; ++i) other.push_back(toy::store(8, i));
  other.push_back(toy::load(1, 1));
  return {{{toy::store(0, 1), toy::store(1, 1)}, other}, {}, {}};
}
inline bool stood_still(const toy::State& state) {
  return state.threads[1].registers[0] == 1 && state.threads[1].registers[1] == 0;
}

// T0 1, T1 1-2, T0 2-3, T1 3: two preemptions, depth 3.
inline toy::Program ping_pong() {
  return {
      {{toy::store(0, 1), load_or_end(1, 0), toy::store(2, 1)}, {load_or_end(0, 0), toy::store(1, 1), toy::load(2, 1)}},
      {},
      {}};
}
inline bool ping_ponged(const toy::State& state) {
  return state.threads[1].registers[1] == 1;
}

// One more exchange: T0 1, T1 1-2, T0 2-3, T1 3-4, T0 4: three preemptions.
inline toy::Program long_ping_pong() {
  return {{{toy::store(0, 1), load_or_end(1, 0), toy::store(2, 1), load_or_end(3, 1)},
           {load_or_end(0, 0), toy::store(1, 1), load_or_end(2, 1), toy::store(3, 1)}},
          {},
          {}};
}
inline bool long_ping_ponged(const toy::State& state) {
  return state.threads[0].registers[1] == 1;
}

// Only T1 before T0 fails, without any preemption.
inline toy::Program wrong_order() {
  return {{{toy::store(0, 1)}, {toy::load(0, 0)}}, {}, {}};
}
inline bool came_first(const toy::State& state) {
  return state.threads[1].registers[0] == 0;
}

// Two locks taken in opposite order.
inline toy::Program crossed_locks() {
  return {{{toy::lock(0), toy::lock(1), toy::unlock(1), toy::unlock(0)},
           {toy::lock(1), toy::lock(0), toy::unlock(0), toy::unlock(1)}},
          {},
          {}};
}

// Threads of so many independent steps.
inline toy::Program straight_lines(const std::vector<unsigned>& lengths) {
  toy::Program program;
  for (std::size_t t = 0; t < lengths.size(); ++t) {
    program.threads.emplace_back(lengths[t], toy::store(static_cast<std::uint32_t>(t), 1));
  }
  return program;
}

}  // namespace ravel::testing

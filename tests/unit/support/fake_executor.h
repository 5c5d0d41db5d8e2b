// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// FakeExecutor: runs plans on the toy machine instead of a program, so that strategies and the campaign loop are tested
// without the runtime. Keeps to the runtime's conventions: decisions only where two or more threads are enabled,
// options in order of threads, the prefix first, then the policy; plain accesses are points as the plan says.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/event_sink.h"
#include "model/sequence_gate.h"
#include "support/model_program.h"
#include "wire/shared_block.h"

namespace ravel::testing {

// A zeroed SharedBlock that costs only what is touched.
class Block {
 public:
  Block();
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  SharedBlock& operator*() { return *block_; }
  SharedBlock* operator->() { return block_; }

 private:
  SharedBlock* block_;
};

class FakeExecutor final : public Executor {
 public:
  // True: this final state is an assertion failure.
  using Judge = std::function<bool(const toy::State&)>;

  FakeExecutor(SharedBlock& block, toy::Program program, Judge judge = {});
  void execute(EventSink& sink) override;
  void pause(std::uint32_t round) override;

  // The thread runs `step` at this location; kinds of steps are the program's.
  static LocationId location_of(std::uint32_t thread, std::uint32_t step) { return 1 + thread * 256 + step; }
  // Where static facts say that a thread is created (toy_facts.h).
  static LocationId created_at(std::uint32_t thread) { return 100'000 + thread; }

  std::uint64_t runs = 0;
  std::vector<PlanSpec> plans;                     // as executed
  std::set<std::vector<std::uint32_t>> schedules;  // thread of every event
  toy::State last_state{};
  std::vector<OperationView> last_operations;       // of the last run
  std::function<void(std::uint64_t run)> at_start;  // for tests that disturb
  std::function<void(std::uint64_t run, SharedBlock&)> at_end;

 private:
  [[nodiscard]] bool is_point(const OperationView& operation) const;
  [[nodiscard]] SequenceGate::Operation at_gate(const Event& event) const;
  static constexpr std::uint32_t kNoStep = 0xffffffffu;
  [[nodiscard]] std::uint32_t first_admitted(Event event, const toy::State& state) const;
  [[nodiscard]] bool admits(const Event& event, const toy::State& state) const;
  void tell_gate(const Event& event);

  SharedBlock& block_;
  toy::Program program_;
  Judge judge_;
  std::unique_ptr<SequenceGate> gate_ = std::make_unique<SequenceGate>();
};

}  // namespace ravel::testing

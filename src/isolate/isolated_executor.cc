// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/isolated_executor.h"

#include <time.h>

#include <iterator>

#include "isolate/run_digest.h"
#include "runtime/fiber/carrier.h"
#include "runtime/platform/raw.h"

namespace ravel {

namespace {

constexpr std::uint32_t kRunsOfAWorker = 1u << 16;
constexpr std::uint32_t kFirstProofAfter = 32;  // twice as many after each that went well
constexpr std::uint32_t kLastProofAfter = 512;
// One in 64 of the first 512, one in 512 of the first 4096, one in 4096 of the first 32768, then one in 32768: what a
// program leaves behind shows early or with the kind of execution that leaves it, and a child costs as much as dozens
// of executions, or hundreds of small ones.
constexpr std::uint64_t kVerifySteps[] = {64, 512, 4096, 32768};
constexpr std::uint32_t kMostSpoilt = 4;  // and more than one execution in 64: then rollback does not pay
constexpr std::uint32_t kMostDeaths = 3;
constexpr std::uint32_t kMostCarriers = 1024;

}  // namespace

IsolatedExecutor::IsolatedExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack)
    : block_(block),
      state_(block.isolation),
      streams_(block),
      fork_(block, start, stack, streams_),
      rollback_(block, start, stack, streams_),
      proof_after_(kFirstProofAfter) {
  // A replay is what others are judged by.
  if (block.campaign.mode == RunMode::kReplay) state_.mode = Isolation::kFork;
  if (mode() == Isolation::kAuto) {
    const Isolation wanted = block.campaign.isolation;
    state_.mode = wanted == Isolation::kAuto ? Isolation::kRepeat : wanted;
  }
  if (state_.inside.exchange(0) != 0) {
    in_child_once_ = true;
    if (state_.deaths.fetch_add(1) + 1 >= kMostDeaths) {
      fall_back(Isolation::kFork, "executions ended the whole process", nullptr);
    }
  }
  if (mode() != Isolation::kFork) prepare();
}

void IsolatedExecutor::prepare() {
  const char* why = nullptr;
  if (!rollback_.prepare(why)) return fall_back(Isolation::kFork, why, nullptr);
  known_.prepare();
}

void IsolatedExecutor::execute(EventSink& sink) {
  if (!usable_ || (mode() != Isolation::kFork && runs_here_ == kRunsOfAWorker)) retire();
  if (mode() == Isolation::kFork || in_child_once_) {
    in_child_once_ = false;
    fork_.execute(sink);
    return;
  }
  ++runs_here_;
  state_.inside.store(1, std::memory_order_relaxed);
  if (verification_due()) {
    verify(sink);
  } else {
    run_inside(sink);
  }
  state_.inside.store(0, std::memory_order_relaxed);
}

void IsolatedExecutor::pause(std::uint32_t round) {
  constexpr long kFirst = 20'000;
  constexpr std::uint32_t kLongest = 5;
  const timespec moment = {0, kFirst << (round < kLongest ? round : kLongest)};
  rt::raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&moment), 0);
}

void IsolatedExecutor::run_inside(EventSink& sink) {
  rollback_.run(sink, !was_known_);
  state_.runs.fetch_add(1, std::memory_order_relaxed);
  const bool may_repeat = mode() == Isolation::kRepeat && rollback_.ended_normally();
  const std::uint64_t choices = may_repeat ? choices_key(block_) : 0;
  // The same choices write the same memory, and that has been compared before.
  const bool known = choices != 0 && known_.contains(choices);
  was_known_ = known;
  if (known && since_proof_ < proof_after_) {
    ++since_proof_;
    state_.repeats.fetch_add(1, std::memory_order_relaxed);
    put_back(RollbackExecutor::Depth::kKnownLines, false);
    return;
  }
  put_back(RollbackExecutor::Depth::kCompare, known);
  if (choices != 0 && usable_) known_.add(choices);
}

void IsolatedExecutor::verify(EventSink& sink) {
  DigestSink own(&sink);
  rollback_.run(own, true);
  const RunDigest inside = own.digest(block_.result, streams_.output_hash());
  state_.runs.fetch_add(1, std::memory_order_relaxed);
  put_back(RollbackExecutor::Depth::kEverywhere, false);
  if (!usable_) return;  // nothing to fork from; the next worker looks at another plan
  DigestSink reference(nullptr);
  fork_.execute(reference);
  const RunDigest outside = reference.digest(block_.result, streams_.output_hash());
  // What real time has cut cannot be compared; it proves nothing either.
  if (inside.outcome == OutcomeKind::kCut || outside.outcome == OutcomeKind::kCut) return;
  const char* differs = difference(inside, outside);
  if (differs == nullptr) {
    state_.verified.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  state_.restart_search.store(1, std::memory_order_relaxed);
  fall_back(Isolation::kFork, "a run inside the worker was not equal to one in a child: ", differs);
  retire();
}

void IsolatedExecutor::put_back(RollbackExecutor::Depth depth, bool is_proof) {
  if (!rollback_.put_back(depth)) {
    usable_ = false;
    // Those of ended threads that nobody has joined yet count too.
    const std::uint32_t held = rt::carriers_made() - 1;
    if (held > state_.carriers.load() + rt::kPreparedCarriers && held <= kMostCarriers) {
      state_.carriers.store(2 * held);  // the next worker has enough of them
      return;
    }
    const std::uint32_t spoilt = state_.spoilt.fetch_add(1) + 1;
    // A plan that is run twice needs its worker for the second run.
    const bool twice = block_.campaign.verify != 0;
    if (twice || (spoilt >= kMostSpoilt && spoilt * 64 > state_.runs.load())) {
      fall_back(Isolation::kFork, rollback_.why(), nullptr);
    }
    return;
  }
  if (depth == RollbackExecutor::Depth::kKnownLines) return;
  if (!is_proof) return;
  const std::uint32_t in_doubt = since_proof_;
  since_proof_ = 0;
  if (!rollback_.surprised()) {
    if (proof_after_ < kLastProofAfter) proof_after_ *= 2;
    return;
  }
  // The same choices have written elsewhere: executions since the last proof may have begun with what another left
  // behind.
  state_.restart_search.store(1, std::memory_order_relaxed);
  state_.doubtful.fetch_add(in_doubt, std::memory_order_relaxed);
  fall_back(Isolation::kRollback, "the same choices do not always write the same memory", nullptr);
  retire();
}

bool IsolatedExecutor::verification_due() const {
  const std::uint64_t number = state_.runs.load(std::memory_order_relaxed) + 1;
  if (number <= 2) return true;
  std::size_t step = 0;
  while (step + 1 < std::size(kVerifySteps) && number > kVerifySteps[step + 1]) ++step;
  return number % kVerifySteps[step] == 0;
}

void IsolatedExecutor::fall_back(Isolation slower, const char* why, const char* detail) {
  rt::TextBuffer(state_.reason, sizeof state_.reason).text(why).text(detail);
  state_.mode.store(slower, std::memory_order_relaxed);
}

void IsolatedExecutor::retire() {
  state_.inside.store(0, std::memory_order_relaxed);
  for (;;) rt::raw_syscall(SYS_exit_group, kRetired);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/isolated_executor.h"

#include <string.h>

#include "engine/fingerprint.h"
#include "runtime/core/raw.h"
#include "runtime/fiber/carrier.h"

namespace ravel {

namespace {

constexpr std::uint32_t kRunsOfAWorker = 1u << 16;
constexpr std::uint32_t kProofEvery = 64;
constexpr std::uint64_t kVerifyOften = 64;  // one in 64, until 64 of them were equal
constexpr std::uint64_t kVerifyRarely = 4096;
constexpr std::uint32_t kMostSpoilt = 4;  // and more than one execution in 64: then rollback does not pay
constexpr std::uint32_t kMostDeaths = 3;
constexpr std::uint32_t kMostSurprises = 3;
constexpr std::uint32_t kSteady = 128;  // comparisons in a row without news; eight times as many after each surprise
constexpr std::uint32_t kMostCarriers = 1024;

// What two runs of a plan must agree on.
struct Digest {
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0;
  std::uint64_t steps = 0;
  std::uint64_t output = 0;
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::int32_t exit_status = 0;
  std::int32_t signal = 0;
  std::uint32_t decisions = 0;
  std::uint32_t threads = 0;
  std::uint32_t objects = 0;
  std::uint64_t virtual_ns = 0;
  LocationId location = 0;
};

class DigestSink final : public EventSink {
 public:
  explicit DigestSink(EventSink* behind) : behind_(behind) {}
  void consume(std::span<const Event> events, std::uint64_t first) override {
    for (const Event& event : events) fingerprint_.add(event);
    if (behind_ != nullptr) behind_->consume(events, first);
  }
  [[nodiscard]] Digest digest(const ExecutionResult& result, std::uint64_t output) const {
    return {fingerprint_.value(), result.events.load(), result.steps.load(), output,
            result.outcome,       result.exit_status,   result.signal,       result.decisions,
            result.threads,       result.objects,       result.virtual_ns,   result.location};
  }

 private:
  Fingerprint fingerprint_;
  EventSink* behind_;
};

// The first thing that differs, nullptr if nothing does.
const char* difference(const Digest& a, const Digest& b) {
  if (a.outcome != b.outcome || a.signal != b.signal || a.location != b.location) return "it ended differently";
  if (a.exit_status != b.exit_status) return "its exit status differed";
  if (a.threads != b.threads) return "the number of threads differed";
  if (a.decisions != b.decisions || a.steps != b.steps || a.events != b.events) return "the number of events differed";
  if (a.fingerprint != b.fingerprint || a.objects != b.objects) return "the events differed";
  if (a.virtual_ns != b.virtual_ns) return "the virtual time differed";
  if (a.output != b.output) return "the output differed";
  return nullptr;
}

}  // namespace

IsolatedExecutor::IsolatedExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack)
    : block_(block),
      state_(block.isolation),
      streams_(block),
      fork_(block, start, stack, streams_),
      rollback_(block, start, stack, streams_) {
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
  if (!rollback_.prepare(why)) fall_back(Isolation::kFork, why, nullptr);
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

void IsolatedExecutor::run_inside(EventSink& sink) {
  rollback_.run(sink);
  state_.runs.fetch_add(1, std::memory_order_relaxed);
  const bool repeats = mode() == Isolation::kRepeat && rollback_.steady(kSteady << (3 * state_.surprises.load())) &&
                       since_proof_ < kProofEvery;
  if (repeats) {
    ++since_proof_;
    state_.repeats.fetch_add(1, std::memory_order_relaxed);
    put_back(RollbackExecutor::Depth::kKnownLines);
  } else {
    put_back(RollbackExecutor::Depth::kCompare);
  }
}

void IsolatedExecutor::verify(EventSink& sink) {
  DigestSink own(&sink);
  rollback_.run(own);
  const Digest inside = own.digest(block_.result, streams_.output_hash());
  state_.runs.fetch_add(1, std::memory_order_relaxed);
  put_back(RollbackExecutor::Depth::kEverywhere);
  if (!usable_) return;  // nothing to fork from; the next worker looks at another plan
  DigestSink reference(nullptr);
  fork_.execute(reference);
  const char* differs = difference(inside, reference.digest(block_.result, streams_.output_hash()));
  if (differs == nullptr) {
    state_.verified.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  state_.start_anew.store(1, std::memory_order_relaxed);
  fall_back(Isolation::kFork, "a run inside the worker was not equal to one in a child: ", differs);
  retire();
}

void IsolatedExecutor::put_back(RollbackExecutor::Depth depth) {
  const std::uint32_t in_doubt = depth != RollbackExecutor::Depth::kKnownLines ? since_proof_ : 0;
  if (!rollback_.put_back(depth)) {
    usable_ = false;
    const std::uint32_t live = block_.result.max_live;
    if (live > state_.carriers.load() + rt::kPreparedCarriers && live <= kMostCarriers) {
      state_.carriers.store(2 * live);  // the next worker has enough of them
      return;
    }
    const std::uint32_t spoilt = state_.spoilt.fetch_add(1) + 1;
    if (spoilt >= kMostSpoilt && spoilt * 64 > state_.runs.load())
      fall_back(Isolation::kFork, rollback_.why(), nullptr);
    return;
  }
  if (depth == RollbackExecutor::Depth::kKnownLines) return;
  since_proof_ = 0;
  if (in_doubt == 0 || !rollback_.surprised()) return;
  // Some execution since the last proof began with what another one had left behind.
  state_.start_anew.store(1, std::memory_order_relaxed);
  state_.doubtful.fetch_add(in_doubt, std::memory_order_relaxed);
  if (state_.surprises.fetch_add(1, std::memory_order_relaxed) + 1 == kMostSurprises) {
    fall_back(Isolation::kRollback, "executions do not always change the same memory", nullptr);
  }
  retire();
}

bool IsolatedExecutor::verification_due() const {
  const std::uint64_t number = state_.runs.load(std::memory_order_relaxed) + 1;
  if (number <= 2 || number % kVerifyRarely == 0) return true;
  return number % kVerifyOften == 0 && number <= kVerifyOften * kVerifyOften;
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

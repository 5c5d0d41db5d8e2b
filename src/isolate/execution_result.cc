// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/execution_result.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/platform/raw.h"

namespace ravel {

void reset_result(SharedBlock& block) {
  // Everything before the message is plain scalars whose empty value is zero; of the message one byte is enough.
  memset(static_cast<void*>(&block.result), 0, offsetof(ExecutionResult, message) + 1);
  block.ring_consumed.store(0, std::memory_order_relaxed);
}

void drain_ring(SharedBlock& block, EventSink& sink) {
  const std::uint64_t events = block.result.events.load(std::memory_order_acquire);
  std::uint64_t consumed = block.ring_consumed.load(std::memory_order_relaxed);
  if (events < consumed || events - consumed > kRingEvents) return;  // scribbled on
  while (consumed < events) {
    const std::uint64_t at = consumed & (kRingEvents - 1);
    const std::uint64_t count = events - consumed < kRingEvents - at ? events - consumed : kRingEvents - at;
    sink.consume({block.ring + at, count}, consumed);
    consumed += count;
  }
  block.ring_consumed.store(consumed, std::memory_order_release);
}

void conclude_result(ExecutionResult& result, int status) {
  const bool open = result.outcome == OutcomeKind::kNotRun || result.outcome == OutcomeKind::kCompleted;
  if (WIFSIGNALED(status) && open) {
    result.signal = WTERMSIG(status);
    result.outcome = result.signal == SIGKILL ? OutcomeKind::kKilled : OutcomeKind::kSignal;
    if (result.message[0] == 0) {
      rt::TextBuffer out(result.message, kMessageBytes);
      const char* name = sigabbrev_np(result.signal);
      out.text(name != nullptr ? "killed by SIG" : "killed by a signal ").text(name);
    }
  } else if (WIFEXITED(status) && open) {
    // Also ends that the runtime does not see, such as _exit by a raw system call.
    result.outcome = OutcomeKind::kCompleted;
    result.exit_status = WEXITSTATUS(status);
  }
}

}  // namespace ravel

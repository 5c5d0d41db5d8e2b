// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The gate: holds pending operations back until a sequence says that it is their turn (model/sequence_gate.h). What has
// happened is read from the recorded events, so recording costs nothing more. A plan without a sequence has no gate,
// and Scheduler::gated is all that is ever asked of it; with one there are no quick points.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

namespace ravel::rt {

// Reads the plan's sequence. True: there is one.
bool begin_gate();

// May the thread go on with its pending operation, as far as the sequence is concerned?
[[nodiscard]] bool gate_admits(const VirtualThread& thread);

// May the message be the next one that is received from the port? True: no sequence says anything about it.
[[nodiscard]] bool gate_admits_message(std::uintptr_t port, std::uint64_t message);

// May the queue's next message be what a select at the inbox takes?
[[nodiscard]] bool gate_admits_queue(std::uintptr_t inbox, std::uintptr_t queue);

// Which of `n` alternatives the running thread takes. False: the sequence does not say.
[[nodiscard]] bool gate_chooses(std::uint32_t n, std::uint32_t& alternative);

// Nobody will be admitted any more: something happened that the sequence does not allow.
[[nodiscard]] bool gate_is_shut();

// What is left of the sequence becomes part of the result, at the end of an execution.
void report_gate();

}  // namespace ravel::rt

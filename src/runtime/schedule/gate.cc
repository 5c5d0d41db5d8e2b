// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/gate.h"

#include "base/large_table.h"
#include "model/sequence_gate.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/state/parcels.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {
RAVEL_LARGE_TABLE SequenceGate gate;
std::uint64_t seen = 0;  // events that the gate has been told

LastingName name_of_thread(ThreadIndex thread) {
  return thread_name_in({g.block->threads, g.block->result.threads}, thread);
}
LastingName name_of_place(std::uint64_t place) {
  return place_name_in({g.block->threads, g.block->result.threads}, {g.block->objects, g.block->result.objects}, place);
}

LastingName name_of_message(std::uint64_t message) {
  return message_name(name_of_thread(sender_of(message)), static_cast<std::uint32_t>(message));
}

bool may_concern(OpKind kind) {
  return is_listed_event(kind) || (is_atomic_access(kind) && gate.has_atomics());
}

void tell(const Event& event) {
  const bool receives = event.kind == OpKind::kTake || event.kind == OpKind::kTryTake;
  if (receives && !event.failed()) gate.received(name_of_place(place_of(event)));
  if (!may_concern(event.kind) || completes_nothing(event)) return;
  const LastingName object = name_of_place(sequence_place(event.kind, place_of(event), event.value));
  LastingName woken = 0;
  if (event.kind == OpKind::kCondSignal) {
    woken = event.value == kNoThread ? kNobody : name_of_thread(static_cast<ThreadIndex>(event.value));
  }
  if (event.kind == OpKind::kMeet) woken = name_of_place(place_of(event));  // which port of the inbox it has to be
  LastingName thread = 0;
  if (event.kind == OpKind::kDeliver) {
    thread = name_of_message(event.value);
  } else if (event.kind == OpKind::kSelect) {
    thread = woken = name_of_place(event.value);
  } else {
    thread = name_of_thread(event.thread);
  }
  if (is_withdrawn(event.bits) && gate.withdrew({thread, object, event.kind})) return;
  gate.passed({thread, object, event.kind}, event.failed(), woken);
}

// Each operation of a sequence is announced, and the gate asked, before it is recorded: the ring still has it.
void catch_up() {
  for (; seen < g_recorder.written; ++seen) {
    const std::uint64_t at = seen & (kRingEvents - 1);
    const Event& event = g.block->ring[at];
    if (!is_atomic_access(event.kind) || g.block->operands[at] != kNoPoint) tell(event);
  }
}

// A call that it has was admitted before. It may also look, or its time may be over.
bool admits_select(const ravel_inbox* inbox, LastingName object) {
  bool none = true;
  return inbox->served != 0 ||
         find_queue(inbox,
                    [&](const ravel_enlisted* one) {
                      none = false;
                      const auto address = reinterpret_cast<std::uintptr_t>(one->queue);
                      return gate.admits({name_of_place(packed(place_of_address(address))), object, OpKind::kSelect});
                    }) != nullptr ||
         none;
}
}  // namespace

bool begin_gate() {
  seen = 0;
  if (g.block->plan.sequence.count == 0) return false;
  gate.begin(g.block->sequence, g.block->plan.sequence);
  return true;
}

bool gate_admits(const VirtualThread& thread) {
  catch_up();
  const Pending& pending = thread.pending;
  if (!may_concern(pending.kind)) return true;
  const bool times_out = thread.wake == WakeReason::kTimeout && pending.kind != OpKind::kCondReacquire;
  if (times_out && gate.lets_go()) return true;
  if (is_label(pending.kind)) {
    return gate.admits({name_of_thread(thread.index), name_of_place(pending.value), pending.kind});
  }
  const std::uintptr_t address = sequence_place(pending.kind, pending.address, pending.value);
  const LastingName object = name_of_place(packed(place_of_address(address)));
  if (pending.kind == OpKind::kSelect) return admits_select(reinterpret_cast<const ravel_inbox*>(address), object);
  if (pending.kind != OpKind::kDeliver) return gate.admits({name_of_thread(thread.index), object, pending.kind});
  const auto* const port = reinterpret_cast<const ravel_queue*>(address);
  if (port->first == nullptr) return true;  // it looks, or its time is over
  return find_parcel(port, pending.size, [&](const ravel_message* one) {
           return gate.admits({name_of_message(one->number), object, OpKind::kDeliver});
         }) != nullptr;
}

bool gate_admits_message(std::uintptr_t port, std::uint64_t message) {
  if (!g_scheduler.gated) return true;
  catch_up();
  return gate.admits({name_of_message(message), name_of_place(packed(place_of_address(port))), OpKind::kDeliver});
}

bool gate_admits_queue(std::uintptr_t inbox, std::uintptr_t queue) {
  if (!g_scheduler.gated) return true;
  catch_up();
  const LastingName who = name_of_place(packed(place_of_address(queue)));
  return gate.admits({who, name_of_place(packed(place_of_address(inbox))), OpKind::kSelect});
}

bool gate_chooses(std::uint32_t n, std::uint32_t& alternative) {
  return gate.choose(name_of_thread(g.current->index), n, alternative);
}

bool gate_is_shut() {
  catch_up();
  return gate.is_over();
}

void report_gate() {
  if (g.block->plan.sequence.count == 0) return;
  catch_up();
  ExecutionResult& result = g.block->result;
  result.sequence_done = gate.done();
  result.sequence_at = gate.first_left();
  result.sequence_fits = gate.left() == 0 && !gate.is_over() && result.outcome != OutcomeKind::kHeld ? 1 : 0;
}

}  // namespace ravel::rt

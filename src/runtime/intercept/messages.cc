// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What ravel/port.h, ravel/entry.h, and the latches and barriers of `ravel c++ --whole-sync' call inside of executions.
#include "ravel/interface.h"
#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/virtual_inbox.h"
#include "runtime/sync/virtual_parcels.h"
#include "runtime/sync/virtual_phase.h"
#include "runtime/sync/virtual_queue.h"

using namespace ravel;
using namespace ravel::rt;

namespace {
std::uint64_t deadline_in(int mode, std::uint64_t nanoseconds) {
  return static_cast<Patience>(mode) == Patience::kUntil ? virtual_now() + nanoseconds : kNever;
}
}  // namespace

RAVEL_EXPORT void ravel_inbox_join(ravel_end* end, ravel_inbox* inbox, std::uint64_t bit) {
  inbox_join(end, inbox, bit);
}
RAVEL_EXPORT void ravel_inbox_open(ravel_inbox* inbox, std::uint64_t bits) {
  inbox_open(inbox, bits, RAVEL_CALLER);
}
RAVEL_EXPORT void* ravel_inbox_accept(ravel_inbox* inbox, int mode, std::uint64_t nanoseconds) {
  return inbox_accept(inbox, static_cast<Patience>(mode), deadline_in(mode, nanoseconds), RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_enlist(ravel_inbox* inbox, ravel_enlisted* queue) {
  inbox_enlist(inbox, queue, RAVEL_CALLER);
}
RAVEL_EXPORT void* ravel_select(ravel_inbox* inbox, int mode, std::uint64_t nanoseconds, ravel_queue** from) {
  return inbox_select(inbox, static_cast<Patience>(mode), deadline_in(mode, nanoseconds), *from, RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_call(ravel_end* end, void* call) {
  inbox_call(end, call, RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_reply(std::uint64_t* replied) {
  call_reply(replied, RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_return(std::uint64_t* replied) {
  call_return(replied, RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_send(ravel_queue* queue, ravel_message* message) {
  queue_put(queue, message, RAVEL_CALLER);
}
RAVEL_EXPORT ravel_message* ravel_receive(ravel_queue* queue, int mode, std::uint64_t nanoseconds) {
  return queue_take(queue, static_cast<Patience>(mode), deadline_in(mode, nanoseconds), RAVEL_CALLER);
}
RAVEL_EXPORT void ravel_cast(ravel_queue* queue, ravel_message* message, int in_order) {
  parcel_send(queue, message, in_order != 0, RAVEL_CALLER);
}
RAVEL_EXPORT ravel_message* ravel_deliver(ravel_queue* queue, int in_order, int mode, std::uint64_t nanoseconds) {
  return parcel_receive(queue, in_order != 0, static_cast<Patience>(mode), deadline_in(mode, nanoseconds),
                        RAVEL_CALLER);
}
RAVEL_EXPORT std::uint32_t ravel_phase_arrive(ravel_phase* phase, int drops, int* ended) {
  bool last = false;
  const std::uint32_t which = phase_arrive(phase, drops != 0, last, RAVEL_CALLER);
  *ended = last ? 1 : 0;
  return which;
}
RAVEL_EXPORT int ravel_phase_wait(ravel_phase* phase, std::uint32_t which, int looks) {
  if (looks != 0) return phase_is_over(phase, which, RAVEL_CALLER) ? 1 : 0;
  phase_wait(phase, which, RAVEL_CALLER);
  return 1;
}

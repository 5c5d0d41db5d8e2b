// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What ravel/port.h and ravel/entry.h call inside of executions.
#include "ravel/interface.h"
#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/virtual_inbox.h"
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

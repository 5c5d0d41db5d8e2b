// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_queue.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/message.h"

namespace ravel::rt {

namespace {
QueueState state_of(const ravel_queue* queue) {
  return {queue->put, queue->taken};
}
}  // namespace

ravel_message* queue_take_first(ravel_queue* queue) {
  ravel_message* const first = queue->first;
  queue->first = first->next;
  if (queue->first == nullptr) queue->last = nullptr;
  ++queue->taken;
  return first;
}

void queue_put(ravel_queue* queue, ravel_message* message, LocationId location) {
  point(operation(OpKind::kPut, queue, location));
  message->next = nullptr;
  (queue->last == nullptr ? queue->first : queue->last->next) = message;
  queue->last = message;
  record_pending(0, ++queue->put);
  changed();
}

ravel_message* queue_take(ravel_queue* queue, Patience patience, std::uint64_t deadline, LocationId location) {
  const bool tries = patience == Patience::kNone;
  if (tries && !has_message(state_of(queue)) &&
      skip_unchanged_read(address_of(&queue->put), sizeof queue->put, location, OpKind::kTryTake) &&
      !has_message(state_of(queue))) {
    return nullptr;
  }
  Pending pending = operation(tries ? OpKind::kTryTake : OpKind::kTake, queue, location);
  if (!tries) {
    pending.deadline = deadline;
    pending.enabled = [](const VirtualThread& thread) {
      return thread.wake != WakeReason::kNormal ||
             has_message(state_of(reinterpret_cast<const ravel_queue*>(thread.pending.address)));
    };
  }
  point(pending);
  if (!has_message(state_of(queue))) {
    record_pending(static_cast<std::uint8_t>(tries ? kFailed : kFailed | kTimeout), 0);
    return nullptr;
  }
  ravel_message* const message = queue_take_first(queue);
  record_pending(0, queue->taken);
  return message;
}

}  // namespace ravel::rt

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls on descriptors as visible operations. A call that would block makes its thread wait until poll(2) says that it
// need not; the process itself sleeps only when no thread can run and something may still come from outside. The
// program's O_NONBLOCK is as the program has set it whenever the program runs.
//
// Results are those of the system call: negative errno numbers for errors.
#pragma once

#include <poll.h>

#include <cstdint>

#include "model/event.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/state/thread.h"
#include "runtime/world/channel.h"

namespace ravel::rt {

// What one thread waits for; lies on its stack while it does.
struct IoWait {
  pollfd* descriptors = nullptr;
  std::uint32_t count = 0;
  bool outside = false;
  bool foreign = false;
  bool ready = false;
  bool needs_change = false;    // poll said ready, the call said not: look again after the next operation
  std::uint64_t looked_at = 0;  // generation of the last look
  std::uint32_t looks = 0;
};

// One call. `events`: what it needs of the descriptor, 0: it never blocks.
struct IoCall {
  int descriptor;
  OpKind kind;
  short events;
  std::uint8_t order;
  LocationId location;
  bool dont_wait = false;  // MSG_DONTWAIT
  std::uint64_t deadline = kNever;
  bool goes_on_alone = false;  // connect: once begun it needs no call of another thread
};

class IoOperation {
 public:
  explicit IoOperation(const IoCall& call);
  // False: not a descriptor that can block; call the system directly.
  [[nodiscard]] bool taken() const { return channel_.address != 0; }
  // The scheduling point. 0: make the call now, without blocking; else the error to return.
  long begin();
  // The call's result. True: it is final, and recorded; false: it would have blocked, begin() again.
  bool end(long result);

 private:
  IoCall call_;
  Channel channel_;
  bool blocking_ = false;
  bool flag_set_ = false;
  bool begun_ = false;
  int flags_ = 0;
  pollfd one_ = {};
  IoWait wait_;
};

// Runs the system call `attempt` (which must not wait when the descriptor says O_NONBLOCK) to its end.
template <class Attempt>
long io_operation(const IoCall& call, Attempt attempt) {
  IoOperation operation(call);
  if (!operation.taken()) return attempt();
  for (;;) {
    if (const long error = operation.begin(); error != 0) return error;
    const long result = attempt();
    if (operation.end(result)) return result;
  }
}

// poll(2) with a time-out of the virtual clock: number of descriptors that are ready, 0 when time is up, -EINTR.
// deadline 0: do not wait. Only one thread's descriptors are looked at, `descriptors` is filled in.
long io_poll(pollfd* descriptors, std::uint32_t count, std::uint64_t deadline, LocationId location);

// Something has become readable by other means than a call on a descriptor.
void note_io_change();

}  // namespace ravel::rt

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/large_table.h"
#include "runtime/platform/raw.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/sync_operation.h"
#include "runtime/sync/wait_begin.h"
#include "runtime/world/library_state.h"
#include "runtime/world/network.h"
#include "runtime/world/outside_signals.h"

namespace ravel::rt {

namespace {

// Counts operations on descriptors: a thread that waits looks again when it has moved. What goes through the C
// library's streams does not count, so it also looks after a number of turns.
std::uint64_t generation = 1;
constexpr std::uint32_t kTurns = 32;
constexpr std::uint32_t kMaxWaited = 4096;  // descriptors of one real wait
RAVEL_LARGE_TABLE pollfd waited[kMaxWaited];

void look(IoWait& wait) {
  wait.looked_at = generation;
  wait.looks = 0;
  wait.ready = raw_syscall(SYS_poll, reinterpret_cast<long>(wait.descriptors), wait.count, 0) != 0;
}

IoWait& wait_of(const VirtualThread& thread) {
  return *static_cast<IoWait*>(const_cast<void*>(thread.waits_for));
}

bool is_ready(const VirtualThread& thread) {
  if (thread.wake != WakeReason::kNormal) return true;
  IoWait& wait = wait_of(thread);
  if (wait.foreign) return wait.ready;
  if (wait.looked_at != generation || (!wait.ready && !wait.needs_change && ++wait.looks >= kTurns)) look(wait);
  return wait.ready;
}

bool waits_for_io(const VirtualThread& thread) {
  return thread.pending.enabled == is_ready && thread.waits_for != nullptr;
}

bool is_open_connection(short events) {
  return (events & (POLLIN | POLLOUT)) != 0;
}

// SO_RCVTIMEO and SO_SNDTIMEO.
std::uint64_t deadline_of_socket(int descriptor, short events) {
  timeval limit = {};
  socklen_t size = sizeof limit;
  const int option = (events & POLLOUT) != 0 ? SO_SNDTIMEO : SO_RCVTIMEO;
  if (raw_syscall(SYS_getsockopt, descriptor, SOL_SOCKET, option, reinterpret_cast<long>(&limit),
                  reinterpret_cast<long>(&size)) != 0)
    return kNever;
  if (limit.tv_sec == 0 && limit.tv_usec == 0) return kNever;
  return virtual_now() + nanoseconds_of({limit.tv_sec, limit.tv_usec * 1000});
}

long give_up(WakeReason why, long on_timeout) {
  const bool timeout = why == WakeReason::kTimeout;
  record_pending(static_cast<std::uint8_t>(kFailed | (timeout ? kTimeout : 0)), timeout ? 0 : EINTR);
  act_on_cancellation();
  return timeout ? on_timeout : -EINTR;
}

}  // namespace

IoOperation::IoOperation(const IoCall& call) : call_(call), channel_(channel_of(call.descriptor)) {
  if (channel_.file && call.kind != OpKind::kIoClose) change_library_state(LibraryState::kFiles, call.location);
  if (!taken()) return;
  flags_ = static_cast<int>(raw_syscall(SYS_fcntl, call.descriptor, F_GETFL));
  blocking_ = call.events != 0 && !call.dont_wait && flags_ >= 0 && (flags_ & O_NONBLOCK) == 0;
  if (blocking_ && is_open_connection(call.events)) {
    const std::uint64_t limit = deadline_of_socket(call.descriptor, call.events);
    if (limit < call_.deadline) call_.deadline = limit;
  }
  one_ = {call.descriptor, call.events, 0};
  wait_.descriptors = &one_;
  wait_.count = 1;
  wait_.outside = channel_.outside;
  wait_.foreign = channel_.foreign;
}

long IoOperation::begin() {
  VirtualThread& self = *g.current;
  if (blocking_ && !begun_) begin_wait(Interruption::kRestart, call_.location);
  begun_ = true;
  Pending pending;
  pending.kind = call_.kind;
  pending.bits = call_.order;
  pending.address = channel_.address;
  pending.location = call_.location;
  if (blocking_) {
    wait_.ready = false;
    wait_.looked_at = wait_.needs_change ? generation : 0;
    pending.enabled = is_ready;
    pending.deadline = call_.deadline;
    pending.interruption = Interruption::kRestart;
    pending.cancellable = true;
    self.waits_for = &wait_;
  }
  point(pending);
  self.waits_for = nullptr;
  if (blocking_ && self.wake != WakeReason::kNormal) return give_up(self.wake, -EAGAIN);
  if (blocking_) {
    raw_syscall(SYS_fcntl, call_.descriptor, F_SETFL, flags_ | O_NONBLOCK);
    flag_set_ = true;
  }
  return 0;
}

bool IoOperation::end(long result) {
  if (flag_set_) raw_syscall(SYS_fcntl, call_.descriptor, F_SETFL, flags_);
  flag_set_ = false;
  if (blocking_ && result == -EAGAIN) {
    wait_.needs_change = !call_.goes_on_alone;
    return false;
  }
  wait_.needs_change = false;
  ++generation;
  if (call_.kind == OpKind::kIoRead && result > 0 && channel_.address == channel_address(kSocketsChannel)) {
    note_source(call_.descriptor, call_.location);
  }
  record_pending(result < 0 ? kFailed : 0, static_cast<std::uint64_t>(result < 0 ? -result : result));
  changed();
  return true;
}

long io_poll(pollfd* descriptors, std::uint32_t count, std::uint64_t deadline, LocationId location) {
  VirtualThread& self = *g.current;
  IoWait wait;
  wait.descriptors = descriptors;
  wait.count = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (descriptors[i].fd < 0) continue;
    const Channel channel = channel_of(descriptors[i].fd);
    wait.outside = wait.outside || channel.outside;
    wait.foreign = wait.foreign || channel.foreign;
  }
  if (deadline != 0) begin_wait(Interruption::kAlways, location);
  Pending pending;
  pending.kind = OpKind::kIoWait;
  pending.location = location;
  if (deadline != 0) {
    pending.enabled = is_ready;
    pending.deadline = deadline;
    pending.interruption = Interruption::kAlways;
    pending.cancellable = true;
    self.waits_for = &wait;
  }
  for (;;) {
    point(pending);
    if (self.wake != WakeReason::kNormal) {
      self.waits_for = nullptr;
      for (std::uint32_t i = 0; i < count; ++i) descriptors[i].revents = 0;
      return give_up(self.wake, 0);
    }
    const long ready = raw_syscall(SYS_poll, reinterpret_cast<long>(descriptors), count, 0);
    if (ready == 0 && deadline != 0) {
      // Somebody else has taken it between the look and the choice of this thread.
      wait.ready = false;
      continue;
    }
    self.waits_for = nullptr;
    record_pending(ready <= 0 ? kFailed : 0, static_cast<std::uint64_t>(ready < 0 ? -ready : ready));
    return ready;
  }
}

namespace {

bool refresh(bool foreign) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  bool any = false;
  for (std::uint32_t i = 0; i < live; ++i) {
    if (!waits_for_io(*list[i]) || wait_of(*list[i]).needs_change || wait_of(*list[i]).foreign != foreign) continue;
    look(wait_of(*list[i]));
    any = any || wait_of(*list[i]).ready;
  }
  return any;
}

// Real waiting for the descriptors of all threads that have some that others can reach.
std::uint32_t list_outside(bool foreign_only) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < live; ++i) {
    if (!waits_for_io(*list[i])) continue;
    const IoWait& wait = wait_of(*list[i]);
    if (!wait.outside || wait.needs_change || (foreign_only && !wait.foreign)) continue;
    for (std::uint32_t k = 0; k < wait.count && count < kMaxWaited; ++k) waited[count++] = wait.descriptors[k];
  }
  return count;
}

bool refresh_all() {
  const bool own = refresh(false);
  return refresh(true) || own;
}

}  // namespace

void note_io_change() {
  ++generation;
}

bool refresh_waiting_io() {
  return refresh(false);
}

bool wait_for_foreign() {
  constexpr long kPatience = 200;
  const std::uint32_t count = list_outside(true);
  return count != 0 && raw_syscall(SYS_poll, reinterpret_cast<long>(waited), count, kPatience) > 0 && refresh(true);
}

bool wait_for_outside() {
  const std::uint32_t count = list_outside(false);
  // Signals too may come from outside; nothing announces them, so they are polled for.
  const bool signals = somebody_waits_for_signals();
  if (count == 0 && !signals) return false;
  // Half the time after which the watchdog would end it: then it is a deadlock that we can describe.
  const long limit = static_cast<long>(g.block->campaign.hang_ms / 2);
  constexpr long kSlice = 5;
  for (long passed = 0; passed < limit; passed += kSlice) {
    const long slice = signals ? kSlice : limit;
    if (raw_syscall(SYS_poll, reinterpret_cast<long>(waited), count, slice) > 0) return refresh_all();
    if (signals && take_outside_signals()) return true;
    if (!signals) break;
  }
  return false;
}

}  // namespace ravel::rt

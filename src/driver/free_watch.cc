// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/free_watch.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace ravel {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// utime and stime: fields 14 and 15, behind the name in parentheses.
std::uint64_t processor_time(pid_t pid) {
  const std::string line = first_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  unsigned long user = 0;
  unsigned long system = 0;
  std::sscanf(line.c_str() + name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  return user + system;
}

// The state of a thread by its line in /proc; 0: it is gone.
char state_of(pid_t pid, std::int64_t tid) {
  const std::string line = first_line(fmt::format("/proc/{}/task/{}/stat", pid, tid));
  const std::size_t name_end = line.rfind(')');
  return name_end != std::string::npos && name_end + 2 < line.size() ? line[name_end + 2] : '\0';
}

// A main thread that has called pthread_exit is listed for as long as others live.
std::size_t tasks(pid_t pid) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", pid), error), end; !error && at != end;
       at.increment(error)) {
    ++count;
  }
  return count - (state_of(pid, pid) == 'Z' ? 1 : 0);
}

// Handlers of the program: the library's own watch the signals of faults.
bool catches_signals(pid_t pid) {
  constexpr std::uint64_t kFaults = 1u << 10 | 1u << 6 | 1u << 7 | 1u << 3;  // SEGV, BUS, FPE, ILL
  std::ifstream in(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("SigCgt:")) return (std::strtoull(line.c_str() + 7, nullptr, 16) & ~kFaults & 0x7fffffff) != 0;
  }
  return true;
}

// How often a thread has left the processor so far.
std::uint64_t switches(pid_t pid, std::int32_t tid) {
  std::ifstream in(fmt::format("/proc/{}/task/{}/status", pid, tid));
  std::uint64_t sum = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find("ctxt_switches:");
    if (at != std::string::npos) sum += std::strtoull(line.c_str() + at + 14, nullptr, 10);
  }
  return sum;
}

bool sleeps_in_futex(pid_t pid, std::int32_t tid) {
  constexpr char kFutex[] = "202 ";
  const std::string call = first_line(fmt::format("/proc/{}/task/{}/syscall", pid, tid));
  if (!call.empty()) return call.starts_with(kFutex);
  return state_of(pid, tid) == 'S';  // not permitted
}

// Memory that other processes may have too. What is not known counts as that. By the thread that waits, since a main
// thread that has ended has no memory any more.
bool is_shared_memory(pid_t pid, std::int32_t tid, std::uint64_t address) {
  std::ifstream in(fmt::format("/proc/{}/task/{}/maps", pid, tid));
  for (std::string line; std::getline(in, line);) {
    unsigned long low = 0;
    unsigned long high = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &low, &high, rights) != 3) continue;
    if (address >= low && address < high) return rights[3] != 'p';
  }
  return true;
}

template <class Object>
bool read_object(std::int32_t tid, std::uint64_t address, Object& object) {
  iovec to{&object, sizeof object};
  iovec from{reinterpret_cast<void*>(address), sizeof object};
  return process_vm_readv(tid, &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof object);
}

// Locks of the C library hold the number of their owner's thread; of a lock for reading nobody is known.
std::int32_t owner_of(std::int32_t tid, const ThreadWait& wait) {
  if (wait.kind == OpKind::kMutexLock) {
    pthread_mutex_t mutex{};
    return read_object(tid, wait.object, mutex) ? mutex.__data.__owner : 0;
  }
  if (wait.kind != OpKind::kRwReadLock && wait.kind != OpKind::kRwWriteLock) return 0;
  pthread_rwlock_t lock{};
  return read_object(tid, wait.object, lock) ? lock.__data.__cur_writer : 0;
}

}  // namespace

std::vector<std::uint64_t> frames_of(const FreeThread& thread) {
  std::vector<std::uint64_t> out;
  for (const auto& frame : thread.wait_pc) {
    const std::uint64_t pc = frame.load(std::memory_order_relaxed);
    if (pc == 0) break;
    out.push_back(pc);
  }
  return out;
}

std::int32_t FreeWatch::tid_of(std::uint32_t thread) const {
  return process_.block().threads[thread].tid.load(std::memory_order_relaxed);
}

std::uint32_t FreeWatch::holder_of(const ThreadWait& wait) const {
  if (wait.kind == OpKind::kThreadJoin) {
    return wait.object < kFreeThreads ? static_cast<std::uint32_t>(wait.object) : kNoHolder;
  }
  const std::int32_t owner = owner_of(tid_of(wait.thread), wait);
  if (owner == 0) return kNoHolder;
  const FreeBlock& block = process_.block();
  const std::uint32_t count = std::min(block.thread_count.load(std::memory_order_acquire), kFreeThreads);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool live = block.threads[i].state.load(std::memory_order_acquire) == FreeThreadState::kLive;
    if (live && tid_of(i) == owner) return i;
  }
  return kNoHolder;
}

WaitSnapshot FreeWatch::snapshot() const {
  WaitSnapshot now;
  const FreeBlock& block = process_.block();
  const std::uint32_t count = std::min(block.thread_count.load(std::memory_order_acquire), kFreeThreads);
  for (std::uint32_t i = 0; i < count; ++i) {
    const FreeThread& thread = block.threads[i];
    const FreeThreadState state = thread.state.load(std::memory_order_acquire);
    if (state != FreeThreadState::kLive && state != FreeThreadState::kMade) continue;
    ThreadWait wait;
    wait.thread = i;
    wait.epoch = thread.wait_epoch.load(std::memory_order_acquire);
    const OpKind kind = thread.waits.load(std::memory_order_acquire);
    wait.kind = state == FreeThreadState::kLive && kind < OpKind::kCount ? kind : OpKind::kNone;
    wait.timed = thread.wait_timed.load(std::memory_order_relaxed);
    wait.object = thread.wait_object.load(std::memory_order_relaxed);
    wait.frames = frames_of(thread);
    wait.moves = *static_cast<const volatile std::uint64_t*>(&thread.moves) +
                 *static_cast<const volatile std::uint64_t*>(&thread.accesses);
    if (wait.kind != OpKind::kNone) wait.waits_for = holder_of(wait);
    now.threads.push_back(wait);
  }
  now.others = tasks(process_.pid()) != now.threads.size() || catches_signals(process_.pid());
  return now;
}

std::optional<std::vector<std::uint64_t>> FreeWatch::asleep(const std::vector<ThreadWait>& threads) const {
  std::vector<std::uint64_t> out;
  for (const ThreadWait& wait : threads) {
    const std::int32_t tid = tid_of(wait.thread);
    if (!sleeps_in_futex(process_.pid(), tid)) return std::nullopt;
    out.push_back(switches(process_.pid(), tid));
  }
  return out;
}

// Who has slept from the first question to the second one without a switch between slept all the time: there is a
// moment at which all of them do.
bool FreeWatch::sleep_at_once(const std::vector<ThreadWait>& threads, const WaitSnapshot& seen) const {
  const auto before = asleep(threads);
  return before && snapshot() == seen && asleep(threads) == before;
}

// A circle needs nobody's help. Where nobody is known to hold what a thread waits for, another process may end the
// wait.
bool FreeWatch::may_be_woken_from_outside(const std::vector<ThreadWait>& threads) const {
  return std::any_of(threads.begin(), threads.end(), [&](const ThreadWait& wait) {
    return wait.waits_for == kNoHolder && wait.kind != OpKind::kThreadJoin &&
           is_shared_memory(process_.pid(), tid_of(wait.thread), wait.object);
  });
}

FreeStop FreeWatch::look(Clock::time_point now) {
  WaitSnapshot fresh = snapshot();
  if (started_ == Clock::time_point{}) started_ = moved_ = now;
  std::uint64_t activity = processor_time(process_.pid());
  for (const ThreadWait& wait : fresh.threads) activity += wait.moves + wait.epoch;
  if (activity != activity_) {
    activity_ = activity;
    moved_ = now;
  }
  if (fresh == last_) {
    stuck_ = find_deadlock(fresh);
    if (!stuck_.empty() && !may_be_woken_from_outside(stuck_) && sleep_at_once(stuck_, fresh)) {
      return FreeStop::kDeadlock;
    }
  }
  stuck_.clear();
  last_ = std::move(fresh);
  if (now - moved_ > hang_) return FreeStop::kHang;
  return now - started_ > kBusyFactor * hang_ ? FreeStop::kCut : FreeStop::kNone;
}

}  // namespace ravel

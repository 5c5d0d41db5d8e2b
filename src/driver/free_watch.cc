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

std::size_t tasks(pid_t pid) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", pid), error), end; !error && at != end;
       at.increment(error)) {
    ++count;
  }
  return count;
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

bool is_lock(OpKind kind) {
  return kind == OpKind::kMutexLock;
}

}  // namespace

// A mutex of the C library holds the number of its owner's thread.
std::uint32_t FreeWatch::holder_of(const ThreadWait& wait) const {
  if (wait.kind == OpKind::kThreadJoin) {
    return wait.object < kFreeThreads ? static_cast<std::uint32_t>(wait.object) : kNoHolder;
  }
  if (!is_lock(wait.kind)) return kNoHolder;
  pthread_mutex_t mutex{};
  iovec to{&mutex, sizeof mutex};
  iovec from{reinterpret_cast<void*>(wait.object), sizeof mutex};
  if (process_vm_readv(process_.pid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(sizeof mutex)) return kNoHolder;
  const FreeBlock& block = process_.block();
  const std::uint32_t count = std::min(block.thread_count.load(std::memory_order_acquire), kFreeThreads);
  for (std::uint32_t i = 0; i < count && mutex.__data.__owner != 0; ++i) {
    const bool live = block.threads[i].state.load(std::memory_order_acquire) == FreeThreadState::kLive;
    if (live && block.threads[i].tid.load(std::memory_order_relaxed) == mutex.__data.__owner) return i;
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
    wait.pc = thread.wait_pc.load(std::memory_order_relaxed);
    wait.moves = *static_cast<const volatile std::uint64_t*>(&thread.moves) +
                 *static_cast<const volatile std::uint64_t*>(&thread.accesses);
    if (wait.kind != OpKind::kNone) wait.waits_for = holder_of(wait);
    now.threads.push_back(wait);
  }
  now.others =
      tasks(process_.pid()) != now.threads.size() || block.forks.load() != 0 || catches_signals(process_.pid());
  return now;
}

bool FreeWatch::all_asleep(const std::vector<ThreadWait>& threads) const {
  constexpr char kFutex[] = "202 ";
  return std::all_of(threads.begin(), threads.end(), [&](const ThreadWait& wait) {
    const std::int32_t tid = process_.block().threads[wait.thread].tid.load(std::memory_order_relaxed);
    const std::string call = first_line(fmt::format("/proc/{}/task/{}/syscall", process_.pid(), tid));
    if (!call.empty()) return call.starts_with(kFutex);
    const std::string stat = first_line(fmt::format("/proc/{}/task/{}/stat", process_.pid(), tid));  // not permitted
    const std::size_t name_end = stat.rfind(')');
    return name_end != std::string::npos && name_end + 2 < stat.size() && stat[name_end + 2] == 'S';
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
    if (!stuck_.empty() && all_asleep(stuck_) && snapshot() == fresh) return FreeStop::kDeadlock;
  }
  stuck_.clear();
  last_ = std::move(fresh);
  if (now - moved_ > hang_) return FreeStop::kHang;
  return now - started_ > kBusyFactor * hang_ ? FreeStop::kCut : FreeStop::kNone;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "isolate/process_state.h"

#include <fcntl.h>

#include <algorithm>
#include <span>

#include "isolate/other_process.h"
#include "isolate/system_call_names.h"
#include "runtime/platform/raw.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

using rt::raw_syscall;

// Reads a small file below /proc/<pid>/; yields its length, 0 when it cannot be read.
std::size_t read_file(pid_t process, const char* name, char* buffer, std::size_t size) {
  char path[64];
  rt::TextBuffer out(path, sizeof path);
  out.text("/proc/").decimal(static_cast<std::uint64_t>(process)).text(name);
  const long fd = raw_syscall(SYS_openat, -100, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const long n = raw_syscall(SYS_read, fd, reinterpret_cast<long>(buffer), static_cast<long>(size - 1));
  raw_syscall(SYS_close, fd);
  buffer[n > 0 ? n : 0] = 0;
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

constexpr std::uint32_t kMostLive = 256;

// Waits for the end of a thread that is alive.
bool joins(pid_t process, const rt::VirtualThread* thread, std::span<const ThreadIndex> alive) {
  const auto pending = read_variable(process, thread->pending);
  if (pending.kind != OpKind::kThreadJoin || pending.enabled == nullptr || pending.deadline != rt::kNever) return false;
  return std::find(alive.begin(), alive.end(), ThreadIndex(static_cast<std::uint32_t>(pending.value))) != alive.end();
}

}  // namespace

bool others_may_run(pid_t process) {
  const rt::ReadySet& ready = rt::g_scheduler.ready;
  const std::uint32_t count = read_variable(process, ready.live_size());
  rt::VirtualThread** const list = read_variable(process, ready.live_list());
  const rt::VirtualThread* const running = read_variable(process, rt::g.current);
  if (count == 0 || count > kMostLive || list == nullptr || running == nullptr) return true;  // not allowed to look
  const rt::VirtualThread* threads[kMostLive];
  ThreadIndex alive[kMostLive];
  for (std::uint32_t i = 0; i < count; ++i) {
    threads[i] = read_variable(process, list[i]);
    if (threads[i] == nullptr) return true;
    alive[i] = read_variable(process, threads[i]->index);
  }
  return std::any_of(threads, threads + count, [&](const rt::VirtualThread* thread) {
    return thread != running && !joins(process, thread, {alive, count});
  });
}

bool is_running(pid_t process) {
  char call[128];
  return read_file(process, "/syscall", call, sizeof call) != 0 && call[0] == 'r';
}

bool describe_process(pid_t process, char* buffer, std::size_t size) {
  rt::TextBuffer out(buffer, size);
  char call[128];
  out.text("no visible operation for a long time: ");
  if (read_file(process, "/syscall", call, sizeof call) == 0) {
    out.text("the process does not answer");
    return false;
  }
  if (call[0] == 'r') {
    out.text(
        "it computes in code that is not instrumented, or loops for ever, while other threads wait for their turn");
    return false;
  }
  std::uint64_t number = 0;
  for (const char* c = call; *c >= '0' && *c <= '9'; ++c) number = number * 10 + static_cast<std::uint64_t>(*c - '0');
  const char* const name = system_call_name(static_cast<long>(number));
  out.text("it is blocked in ");
  if (name != nullptr) {
    out.text(name).text("()");
  } else {
    out.text("system call ").decimal(number);
  }
  out.text(", which Ravel does not control");
  return true;
}

}  // namespace ravel

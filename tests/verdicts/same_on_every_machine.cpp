// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the machine has left and how long the process has run: the same in every execution.
//
// expect: clean
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>

int main() {
  tms process = {};
  const clock_t ticks = times(&process);
  rusage usage = {};
  assert(getrusage(RUSAGE_SELF, &usage) == 0);
  struct sysinfo machine = {};
  assert(sysinfo(&machine) == 0);
  assert(machine.uptime == 0 && usage.ru_utime.tv_sec == 0 && ticks == 0 && process.tms_utime == 0);
  assert(sysconf(_SC_PHYS_PAGES) == 1 << 21 && sysconf(_SC_AVPHYS_PAGES) == 1 << 20);
  assert(machine.totalram == 8ull << 30 && machine.freeram == 4ull << 30);
  const time_t now = time(nullptr);
  assert(syscall(SYS_time, nullptr) == now);
  timeval today = {};
  assert(syscall(SYS_gettimeofday, &today, nullptr) == 0 && today.tv_sec == now);
  char name[L_tmpnam];
  assert(tmpnam(name) == name && strncmp(name, "/tmp/file", 9) == 0);
  std::thread other([] { sched_yield(); });
  sched_yield();
  other.join();
}

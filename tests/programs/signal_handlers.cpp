// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Handlers for faults: one mends the page and returns, one jumps out, one is asked for and taken away again.
//
// expect: clean
// operations: create,join,rmw
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

static constexpr std::size_t kPage = 4096;
static char* pages[2];
static std::atomic<int> faults{0};
static thread_local sigjmp_buf way_out;

static void mend(int, siginfo_t* info, void*) {
  for (char* page : pages) {
    if (info->si_addr < page || info->si_addr >= page + kPage) continue;
    ++faults;
    mprotect(page, kPage, PROT_READ | PROT_WRITE);
  }
}

static void jump(int) {
  siglongjmp(way_out, 1);
}

static void fault_and_jump() {
  ++faults;
  if (sigsetjmp(way_out, 1) == 0) {
    raise(SIGFPE);
    assert(false);
  }
  ++faults;
}

int main() {
  for (char*& page : pages) {
    page = static_cast<char*>(mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_sigaction = mend;
  action.sa_flags = SA_SIGINFO;
  assert(sigaction(SIGSEGV, &action, &before) == 0);
  assert(before.sa_handler == SIG_DFL);
  std::thread first([] { pages[0][0] = 1; });
  std::thread second([] { pages[1][0] = 1; });
  first.join();
  second.join();
  assert(faults == 2);
  assert(sigaction(SIGSEGV, &before, &action) == 0);
  assert(action.sa_sigaction == mend);

  assert(signal(SIGFPE, jump) == SIG_DFL);
  std::thread third(fault_and_jump);
  std::thread fourth(fault_and_jump);
  third.join();
  fourth.join();
  assert(faults == 6);
  return 0;
}

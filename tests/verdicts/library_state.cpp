// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// More state that the C library keeps for all threads: where strtok stands, which handler of the exit was registered
// last, the names of threads, which folders there are.
//
// expect: clean
// outcomes: n=0 | n=1 | n=2 | n=3 | n=4
#include <fcntl.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

static char text[] = "begin rest";
static bool token = false;
static bool made = false;
static pthread_t first;
static int handlers = 0;
static int seen = 0;

static void last_handler() {
  ravel::observe("n", seen + (handlers == 12 ? 1 : 0));
}
static void of_worker() {
  handlers = 10 * handlers + 2;
}
static void of_main() {
  handlers = 10 * handlers + 1;
}

static void* worker(void*) {
  token = std::strtok(nullptr, " ") != nullptr;
  made = mkdirat(AT_FDCWD, "library-state-folder", 0700) == 0;
  std::atexit(of_worker);
  pthread_setname_np(first, "renamed");
  return nullptr;
}

int main() {
  first = pthread_self();
  std::strtok(text, " ");
  std::atexit(last_handler);
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  const bool mine = std::strtok(nullptr, " ") != nullptr;
  const bool own = mkdirat(AT_FDCWD, "library-state-folder", 0700) == 0;
  std::atexit(of_main);
  char name[16];
  pthread_getname_np(first, name, sizeof name);
  pthread_join(thread, nullptr);
  rmdir("library-state-folder");
  if (mine == token || own == made) return 1;
  // How often the worker was first.
  seen = (token ? 1 : 0) + (made ? 1 : 0) + (std::strcmp(name, "renamed") == 0 ? 1 : 0);
}

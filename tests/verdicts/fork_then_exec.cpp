// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Forked while another thread may hold a lock, but the child does nothing that needs it: it execs, ends, or locks what
// the forking thread has taken care of (pthread_atfork).
//
// expect: clean
// iterations: 50
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static pthread_mutex_t cared_for = PTHREAD_MUTEX_INITIALIZER;
static int value = 0;

static int status_of(pid_t child) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main() {
  pthread_atfork([] { pthread_mutex_lock(&cared_for); }, [] { pthread_mutex_unlock(&cared_for); },
                 [] { pthread_mutex_unlock(&cared_for); });
  std::thread other([] {
    const std::lock_guard guard(lock);
    pthread_mutex_lock(&cared_for);
    ++value;
    pthread_mutex_unlock(&cared_for);
  });
  const pid_t execs = fork();
  if (execs == 0) {
    execl("/bin/true", "true", nullptr);
    _exit(1);
  }
  assert(status_of(execs) == 0);
  const pid_t locks = fork();
  if (locks == 0) {
    pthread_mutex_lock(&cared_for);
    pthread_mutex_unlock(&cared_for);
    _exit(3);
  }
  assert(status_of(locks) == 3);
  other.join();
}

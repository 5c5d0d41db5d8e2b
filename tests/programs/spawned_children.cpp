// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Children by _Fork, posix_spawn, popen, and vfork with descriptors moved before exec: none is controlled, none does
// harm, and a thread that reads what a child writes lets the others run.
//
// expect: clean
// iterations: 100
// operations: io-read,create,join
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

extern char** environ;

static std::atomic<int> counter{0};

static int status_of(pid_t child) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void read_word(int end) {
  char text[16] = {};
  std::size_t got = 0;
  for (ssize_t n = 0; (n = read(end, text + got, sizeof text - 1 - got)) > 0;) got += static_cast<std::size_t>(n);
  assert(std::strcmp(text, "word\n") == 0);
  close(end);
}

int main() {
  std::thread worker([] { ++counter; });

  const pid_t bare = _Fork();
  if (bare == 0) {
    ++counter;
    _exit(7);
  }
  assert(status_of(bare) == 7);

  int ends[2];
  assert(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t moved = vfork();
  if (moved == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    dup2(ends[1], 1);
    close(ends[0]);
    execl("/bin/sh", "sh", "-c", "echo word", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::thread reader(read_word, ends[0]);
  ++counter;
  reader.join();
  assert(status_of(moved) == 0);

  char shell[] = "/bin/sh";
  char option[] = "-c";
  char command[] = "exit 3";
  char* arguments[] = {shell, option, command, nullptr};
  pid_t spawned = 0;
  assert(posix_spawn(&spawned, shell, nullptr, nullptr, arguments, environ) == 0);
  assert(status_of(spawned) == 3);

  std::FILE* pipe = popen("echo popped", "r");
  char line[16];
  assert(std::fgets(line, sizeof line, pipe) != nullptr && std::strcmp(line, "popped\n") == 0);
  assert(WEXITSTATUS(pclose(pipe)) == 0);
  worker.join();
  assert(counter == 2);
  return 0;
}

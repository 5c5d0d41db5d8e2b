// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// waits HOW [late]: main waits for a second thread, which waits for something that nobody will do; with `late' somebody
// does it after a while, in a way that cannot be seen from the locks.
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <future>
#include <latch>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;

constexpr auto kLate = 400ms;
std::atomic<int> word{0};
std::atomic<char> narrow{0};  // not of a futex's size: waits on a word of the library's own
std::latch all_there(2);
std::barrier<> round_of_two(2);
std::counting_semaphore<4> places(0);
std::promise<int> promise;
std::shared_future<int> answer = promise.get_future().share();
std::once_flag once_a, once_b;
std::shared_mutex first, second;
std::atomic<int>* shared = nullptr;  // with a child process

int slow_value() {
  std::this_thread::sleep_for(kLate);
  return 1;
}
int guarded_value() {
  static const int value = slow_value();
  return value;
}

void wait_for_what(const std::string& how) {
  if (how == "atomic") word.wait(0);                     // here: atomic
  if (how == "narrow") narrow.wait(0);                   // here: narrow
  if (how == "latch") all_there.arrive_and_wait();       // here: latch
  if (how == "barrier") round_of_two.arrive_and_wait();  // here: barrier
  if (how == "semaphore") places.acquire();              // here: semaphore
  if (how == "future") answer.get();                     // here: future
  if (how == "timed") answer.wait_for(kLate);
  if (how == "guard") guarded_value();
  if (how == "child") syscall(SYS_futex, shared, FUTEX_WAIT, 0, nullptr);
  if (how == "handler") word.wait(0);
}

void end_the_wait(const std::string& how) {
  if (how == "atomic" || how == "handler") word = 1, word.notify_all();
  if (how == "narrow") narrow = 1, narrow.notify_all();
  if (how == "latch") all_there.count_down();
  if (how == "barrier") round_of_two.arrive_and_drop();
  if (how == "semaphore") places.release();
  if (how == "future") promise.set_value(1);
}

// Each runs an initialiser that needs the other one's.
void two_onces(std::once_flag& mine, std::once_flag& other) {
  std::call_once(mine, [&] {
    std::this_thread::sleep_for(50ms);
    std::call_once(other, [] {});  // here: once
  });
}

// Beside a third thread that runs on: a circle needs no more than its members.
void two_writers(std::shared_mutex& mine, std::shared_mutex& other) {
  const std::unique_lock hold(mine);
  std::this_thread::sleep_for(50ms);
  const std::shared_lock wish(other);  // here: rwlock
}

// The child has the word too, and is no thread of this process.
pid_t waker_process() {
  void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = new (memory) std::atomic<int>(0);
  const pid_t child = fork();
  if (child != 0) return child;
  std::this_thread::sleep_for(kLate);
  *shared = 1;
  syscall(SYS_futex, shared, FUTEX_WAKE, 1);
  _exit(0);
}

void wake_from_handler(int) {
  end_the_wait("handler");
}

int main(int count, char** argv) {
  const std::string how = argv[1];
  const bool late = count > 2;
  const pid_t child = how == "child" ? waker_process() : 0;
  if (how == "forked" && fork() == 0) _exit(0);
  if (how == "handler") {
    signal(SIGALRM, wake_from_handler);
    ualarm(static_cast<useconds_t>(std::chrono::microseconds(kLate).count()), 0);
  }
  if (how == "main_left") {
    std::thread([] { word.wait(0); }).detach();  // here: main_left
    pthread_exit(nullptr);
  }
  std::thread other([&] {
    if (how == "once") two_onces(once_a, once_b);
    if (how == "rwlock") two_writers(first, second);
    wait_for_what(how == "forked" ? "atomic" : how);
  });
  if (how == "once") two_onces(once_b, once_a);
  if (how == "rwlock") {
    std::thread([] {
      for (;;) pause();
    }).detach();
    two_writers(second, first);
  }
  if (how == "guard") guarded_value();
  if (late) {
    std::this_thread::sleep_for(kLate);
    end_the_wait(how);
  }
  other.join();
  if (child != 0) waitpid(child, nullptr, 0);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A timer whose function runs on threads of the C library: any number, one beside the other, none before the timer is
// made: `before' is in no pair.
// expect: RW 7 MM 0 classes 2
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <thread>
struct Job {
  int rounds = 0;
};
int before = 0, after = 0;
Job job;
void expired(sigval value) {
  after += before;
  ++static_cast<Job*>(value.sival_ptr)->rounds;
}
int main() {
  std::thread t1([] {
    before = 1;
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = expired;
    event.sigev_value.sival_ptr = &job;
    timer_t timer = nullptr;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    itimerspec every = {{0, 1000}, {0, 1000}};
    timer_settime(timer, 0, &every, nullptr);
    usleep(3);
    after = 1;
    every = {};
    timer_settime(timer, 0, &every, nullptr);
  });
  t1.join();
  return job.rounds < 0;
}

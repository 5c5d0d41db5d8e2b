// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The result of pthread_create is not looked at: without the worker, main waits for an answer that never comes.
//
// expect: kind=deadlock threads=T0 lines=waits preemptions=0
// options: --faults eagain
// injected: creation of a thread failed with EAGAIN
#include <pthread.h>

#include <condition_variable>
#include <mutex>

namespace {

std::mutex guard;
std::condition_variable answered;
int answers = 0;

void* work(void*) {
  const std::lock_guard<std::mutex> lock(guard);
  ++answers;
  answered.notify_one();
  return nullptr;
}

}  // namespace

int main() {
  pthread_t workers[2] = {};
  bool started[2] = {};
  for (int i = 0; i < 2; ++i) {
    started[i] = pthread_create(&workers[i], nullptr, work, nullptr) == 0;
#ifdef FIXED
    if (!started[i]) work(nullptr);
#endif
  }
  {
    std::unique_lock<std::mutex> lock(guard);
    while (answers < 2) answered.wait(lock);  // here: waits
  }
  for (int i = 0; i < 2; ++i) {
    if (started[i]) pthread_join(workers[i], nullptr);
  }
}

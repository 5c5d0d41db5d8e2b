// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A program that expects everything that may fail: no fault, and no three of them, does it any harm.
//
// expect: clean
// options: --faults spurious-wakeup,weak-cas,try-lock,eagain,eintr,alloc --fault-limit 3
// operations: create,trylock,cas,sem-wait,sleep,choice
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <system_error>
#include <thread>

namespace {

std::atomic<int> count{0};
std::mutex guard;
std::shared_mutex shared;
std::condition_variable changed;
sem_t units;
bool told = false;

void add_by_hand() {
  int seen = count;
  while (!count.compare_exchange_weak(seen, seen + 1)) {
  }
  assert(count > 0);
}

void with_locks() {
  while (!guard.try_lock()) std::this_thread::yield();
  told = true;
  changed.notify_all();
  guard.unlock();
  while (!shared.try_lock_shared()) std::this_thread::yield();
  shared.unlock_shared();
}

void with_time() {
  const auto begin = std::chrono::steady_clock::now();
  timespec left = {0, 2'000'000};
  while (nanosleep(&left, &left) != 0) assert(errno == EINTR);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (usleep(10) != 0) assert(errno == EINTR);
  assert(sleep(0) == 0);
  assert(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(3));
}

void with_memory() {
  void* block = std::malloc(100);
  if (block == nullptr) assert(errno == ENOMEM);
  if (void* larger = std::realloc(block, 5'000)) block = larger;
  std::free(block);
  delete new (std::nothrow) int(1);
  try {
    delete[] new int[10];
  } catch (const std::bad_alloc&) {
    add_by_hand();
  }
}

void* work(void*) {
  while (sem_wait(&units) != 0) assert(errno == EINTR);
  add_by_hand();
  with_memory();
  with_time();
  with_locks();
  return nullptr;
}

void wait_until_told() {
  std::unique_lock<std::mutex> lock(guard);
  while (!told) changed.wait(lock);
}

}  // namespace

int main() {
  sem_init(&units, 0, 2);
  pthread_t worker;
  const int error = pthread_create(&worker, nullptr, work, nullptr);
  assert(error == 0 || error == EAGAIN);
  bool second = false;
  try {
    std::thread other(work, nullptr);
    second = true;
    wait_until_told();
    other.join();
  } catch (const std::system_error& failure) {
    assert(failure.code().value() == EAGAIN);
  } catch (const std::bad_alloc&) {
    // of the thread's own state
  }
  if (error == 0) pthread_join(worker, nullptr);
  if (error != 0 && !second) work(nullptr);
  assert(count >= 1);
}

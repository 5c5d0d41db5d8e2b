// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphore misuse: a guard gives back a permit also when it never got one, and the pool of one lets two in.
//
// expect: kind=assertion threads=T1,T2,T3 lines=check preemptions=1
// operations: sem-wait,sem-trywait,sem-post
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

class ConnectionPool {
 public:
  ConnectionPool() { sem_init(&permits_, 0, 1); }
  ~ConnectionPool() { sem_destroy(&permits_); }

  void query() {
    sem_wait(&permits_);
    use();
    sem_post(&permits_);
  }

  bool try_query() {
    const bool granted = sem_trywait(&permits_) == 0;
    if (granted) {
      use();
    }
#ifdef FIXED
    if (granted) {
      sem_post(&permits_);
    }
#else
    sem_post(&permits_);
#endif
    return granted;
  }

 private:
  void use() {
    const int others = busy_.fetch_add(1);
    assert(others == 0);  // here: check
    busy_.fetch_sub(1);
  }

  sem_t permits_;
  std::atomic<int> busy_{0};
};

}  // namespace

int main() {
  ConnectionPool pool;
  std::thread reporter([&pool] { pool.query(); });
  std::thread health_check([&pool] { pool.try_query(); });
  std::thread importer([&pool] { pool.query(); });
  reporter.join();
  health_check.join();
  importer.join();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs of the catalogue with locks and semaphores of the standard library and of POSIX, by -DPROGRAM=number.
#include <semaphore.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

#if PROGRAM == 15  // N threads, M times each
std::mutex m;
int main() {
  run(std::vector<std::function<void()>>(N, [] {
    for (int i = 0; i < M; ++i) const std::lock_guard inside(m);
  }));
}

#elif PROGRAM == 16
std::mutex a, b;
int main() {
  const auto first = [] { const std::lock_guard inside(a); };
  const auto second = [] { const std::lock_guard inside(b); };
  run({first, first, second, second});
}

#elif PROGRAM == 17
std::mutex a, b;
int main() {
  run({[] {
         const std::lock_guard first(a);
         const std::lock_guard second(b);
       },
       [] {
         const std::lock_guard first(b);
         const std::lock_guard second(a);
       }});
}

#elif PROGRAM == 19  // N philosophers, the last one takes the forks the other way round
std::mutex fork_[N];
int main() {
  std::vector<std::function<void()>> all;
  for (int i = 0; i < N; ++i) {
    all.emplace_back([i] {
      const bool last = i == N - 1;
      const std::lock_guard first(fork_[last ? 0 : i]);
      const std::lock_guard second(fork_[last ? i : i + 1]);
    });
  }
  run(all);
}

#elif PROGRAM == 20  // N philosophers at a monitor
enum class State { kThinks, kHungry, kEats };
std::mutex table;
std::condition_variable self[N];
State state[N];
static void test(int i) {
  if (state[(i + N - 1) % N] == State::kEats || state[(i + 1) % N] == State::kEats || state[i] != State::kHungry)
    return;
  state[i] = State::kEats;
  self[i].notify_one();
}
int main() {
  std::vector<std::function<void()>> all;
  for (int i = 0; i < N; ++i) {
    all.emplace_back([i] {
      {
        std::unique_lock lock(table);
        state[i] = State::kHungry;
        test(i);
        while (state[i] != State::kEats) self[i].wait(lock);
      }
      const std::lock_guard lock(table);
      state[i] = State::kThinks;
      test((i + N - 1) % N);
      test((i + 1) % N);
    });
  }
  run(all);
}

#elif PROGRAM == 26
std::recursive_mutex k;
int main() {
  run({[] { const std::lock_guard inside(k); },
       [] {
         const std::lock_guard inside(k);
         const std::lock_guard again(k);
       }});
}

#elif PROGRAM == 27  // two monitors as mutexes; ASKS: a() waits only if nobody has signalled
std::mutex m1, m2;
std::condition_variable signalled;
bool before = false;
static void a() {
  std::unique_lock lock(m1);
#ifdef ASKS
  if (before) return;
#endif
  signalled.wait(lock);
}
static void b() {
  const std::lock_guard lock(m1);
  before = true;
  signalled.notify_one();
}
static void c() {
  const std::lock_guard lock(m2);
}
int main() {
  run({[] {
         a();
         c();
       },
       b,
       [] {
         c();
         b();
       }});
}

#elif PROGRAM == 33  // a predicate instead of luck
std::mutex m;
std::condition_variable ready;
bool done = false;
int main() {
  run({[] {
         std::unique_lock lock(m);
         while (!done) ready.wait(lock);
       },
       [] {
         const std::lock_guard lock(m);
         done = true;
         ready.notify_one();
       }});
}

#elif PROGRAM == 34  // R readers and W writers, readers first
sem_t turn, room;
int readers = 0;
static void reads() {
  sem_wait(&turn);
  if (++readers == 1) sem_wait(&room);
  sem_post(&turn);
  sem_wait(&turn);
  if (--readers == 0) sem_post(&room);
  sem_post(&turn);
}
static void writes() {
  sem_wait(&room);
  sem_post(&room);
}
int main() {
  sem_init(&turn, 0, 1);
  sem_init(&room, 0, 1);
  std::vector<std::function<void()>> all(R, reads);
  all.insert(all.end(), W, writes);
  run(all);
}

#elif PROGRAM == 41  // what is nested in a method comes before the next one
std::mutex m;
sem_t k;
int main() {
  sem_init(&k, 0, 1);
  run({[] {
         const std::lock_guard lock(m);
         sem_wait(&k);
       },
       [] { const std::lock_guard lock(m); }, [] { sem_wait(&k); }});
}
#endif

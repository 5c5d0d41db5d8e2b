// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// N philosophers at a monitor with one condition each (P20): they pick up both forks and put them down, once.
#include <ravel/monitor.h>

#include <memory>
#include <thread>
#include <vector>

#ifdef SU
using Monitor = ravel::monitor_su;
#else
using Monitor = ravel::monitor_sc;
#endif

class Table : Monitor {
  enum class State { kThinks, kHungry, kEats };
  std::vector<State> state;
  std::vector<std::unique_ptr<ravel::condition>> self;

  void test(int i) {
    if (state[(i + N - 1) % N] == State::kEats || state[(i + 1) % N] == State::kEats || state[i] != State::kHungry)
      return;
    state[i] = State::kEats;
    self[i]->signal();
  }

 public:
  Table() : state(N, State::kThinks) {
    for (int i = 0; i < N; ++i)
      self.push_back(std::make_unique<ravel::condition>(static_cast<ravel::monitor&>(*this), "self"));
  }
  void pick_up(int i) {
    const auto in = enter("pick_up");
    state[i] = State::kHungry;
    test(i);
    if (state[i] != State::kEats) self[i]->wait();
  }
  void put_down(int i) {
    const auto in = enter("put_down");
    state[i] = State::kThinks;
    test((i + N - 1) % N);
    test((i + 1) % N);
  }
};

int main() {
  Table table;
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) {
    threads.emplace_back([&table, i] {
      table.pick_up(i);
      table.put_down(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

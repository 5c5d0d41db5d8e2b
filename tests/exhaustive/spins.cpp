// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Correct programs that spin, with and without giving way: spins NAME THREADS. A complete search ends, and the observed
// sum is the same in every schedule.
#include <ravel/ravel.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

static int counter = 0;

static std::atomic<int> word{0};

static void yielding() {
  while (word.exchange(1) != 0) std::this_thread::yield();
  ++counter;
  word.store(0);
}

static void test_and_test() {
  for (;;) {
    while (word.load() != 0) std::this_thread::yield();
    int expected = 0;
    if (word.compare_exchange_strong(expected, 1)) break;
  }
  ++counter;
  word.store(0);
}

static void silent() {
  while (word.exchange(1) != 0) {
  }
  ++counter;
  word.store(0);
}

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> locked{false};
};
static std::atomic<Node*> tail{nullptr};

static void queued() {
  Node node;
  Node* const before = tail.exchange(&node);
  if (before != nullptr) {
    node.locked.store(true);
    before->next.store(&node);
    while (node.locked.load()) std::this_thread::yield();
  }
  ++counter;
  Node* after = node.next.load();
  if (after == nullptr) {
    Node* mine = &node;
    if (tail.compare_exchange_strong(mine, nullptr)) return;
    while ((after = node.next.load()) == nullptr) std::this_thread::yield();
  }
  after->locked.store(false);
}

static void run(void (*body)(), int threads) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body);
  for (std::thread& thread : all) thread.join();
}

static void stop_callback() {
  std::stop_source source;
  std::atomic<int> called{0};
  std::thread first([&] { const std::stop_callback callback(source.get_token(), [&] { called.fetch_add(1); }); });
  std::thread second([&] { source.request_stop(); });
  first.join();
  second.join();
  counter = called.load();
}

static void condition_any() {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool got = false;
  {
    std::jthread waiter([&](const std::stop_token& stop) {
      std::unique_lock hold(mutex);
      got = changed.wait(hold, stop, [] { return false; });
    });
    waiter.request_stop();
  }
  counter = got;
}

int main(int, char** argv) {
  const std::string_view name = argv[1];
  const int threads = std::atoi(argv[2]);
  if (name == "yielding") run(yielding, threads);
  if (name == "test-and-test") run(test_and_test, threads);
  if (name == "silent") run(silent, threads);
  if (name == "queued") run(queued, threads);
  if (name == "stop-callback") stop_callback();
  if (name == "condition-any") condition_any();
  ravel::observe("counter", counter);
}

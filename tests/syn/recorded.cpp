// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// All constructs in a small program that records its own order on real threads; the first argument is the file.
// THREAD: how threads are started. STUCK: the last one waits for ever.
#include <ravel/sync.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#ifndef THREAD
#define THREAD ravel::thread
#endif

class Buffer : ravel::monitor_su {
  ravel::condition not_empty{*this, "not_empty"};
  int full = 0;

 public:
  Buffer() : monitor_su("buffer") {}
  void put() {
    const auto in = enter("put");
    ++full;
    not_empty.signal();
  }
  void take() {
    const auto in = enter("take");
    if (full == 0) not_empty.wait();
    --full;
  }
};

ravel::counting_semaphore permits{1, "permits"};
ravel::binary_semaphore turn{1, "turn"};
ravel::port<int> queue{"queue"};
ravel::port<int> news{"news"};
ravel::port<int> net{"net", ravel::delivery::network};
ravel::entry<int, void> deposit{"deposit"};
ravel::entry<void, int> withdraw{"withdraw"};
Buffer buffer;

// On real threads only: orders differ from seed to seed.
unsigned seed = 1;
static void pause_a_little(int me) {
  static std::atomic<unsigned> calls{0};
  if (ravel::detail::controlled()) return;
  const unsigned mixed = (seed * 2654435761u + ++calls * 40503u + static_cast<unsigned>(me)) >> 8;
  std::this_thread::sleep_for(std::chrono::microseconds(mixed % 300));
}

static void worker(int me) {
  pause_a_little(me);
  permits.acquire();
  ravel::event("working");
  permits.release();
  pause_a_little(me);
  news.send(me);
  queue.send(me);
  net.send(me);
  turn.acquire();
  turn.release();
  pause_a_little(me);
  if (me == 0) {
    deposit.call(7);
    buffer.put();
  } else {
    (void)withdraw.call();
    buffer.take();
  }
}

static void server() {
  ravel::selective_wait select;
  select.add(deposit);
  select.add(withdraw);
  select.add(news);
  for (int full = 0, rounds = 0; rounds < 4; ++rounds) {
    withdraw.guard(full > 0);
    const int chosen = select.choose();
    if (chosen == 1) full = deposit.accept_and_reply();
    if (chosen == 2) withdraw.accept_and_reply(full);
    if (chosen == 3) (void)news.receive();
  }
  (void)queue.receive();
  (void)queue.receive();
  (void)net.receive();
  (void)net.receive();
}

int main(int count, char** words) {
  if (count > 2) seed = static_cast<unsigned>(std::atoi(words[2]));
  if (count > 1 && !ravel::record_sequence(words[1])) return 2;
  std::vector<std::thread> threads;
  threads.push_back(THREAD(worker, 0));
  threads.push_back(THREAD(worker, 1));
  threads.push_back(THREAD(server));
#ifdef STUCK
  threads.push_back(THREAD([] { (void)queue.receive(), (void)queue.receive(), (void)queue.receive(); }));
#endif
  for (std::thread& thread : threads) thread.join();
}

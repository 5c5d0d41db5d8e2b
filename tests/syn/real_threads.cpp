// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// All constructs on real threads, N operations of each (the first argument): sums come out right, monitors exclude,
// hand-over is at once. For ThreadSanitizer and for builds without Ravel.
#include <ravel/sync.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

template <class Body>
static void in_threads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

template <class Monitor>
class Buffer : Monitor {
  ravel::condition not_full{*this, "not_full"};
  ravel::condition not_empty{*this, "not_empty"};
  long slots[2] = {};
  int full = 0;

 public:
  void put(long value) {
    const auto in = this->enter("put");
    while (full == 2) not_full.wait();
    slots[full++] = value;
    not_empty.signal();
  }
  long take() {
    const auto in = this->enter("take");
    while (full == 0) not_empty.wait();
    const long value = slots[--full];
    not_full.signal();
    return value;
  }
};

// The signalled thread runs before the signaller goes on, and before anybody outside.
class HandOver : ravel::monitor_su {
  ravel::condition turn{*this, "turn"};
  int stage = 0;

 public:
  bool wait() {
    const auto in = enter("wait");
    turn.wait();
    const bool at_once = stage == 1;
    stage = 2;
    return at_once;
  }
  bool signal() {
    const auto in = enter("signal");
    if (turn.empty()) return false;
    stage = 1;
    turn.signal();
    require(stage == 2, "the signaller goes on behind the one it signalled");
    stage = 0;
    return true;
  }
};

static void monitors(long n) {
  Buffer<ravel::monitor_sc> sc;
  Buffer<ravel::monitor_su> su;
  long sums[4] = {};
  in_threads(4, [&](int me) {
    for (long i = 0; i < n / 4; ++i) {
      if (me < 2) {
        sc.put(i);
        su.put(i);
      } else {
        sums[me] += sc.take() + su.take();
      }
    }
  });
  require(sums[2] + sums[3] == 4 * ((n / 4) * (n / 4 - 1) / 2), "what went in comes out of the monitors");
  HandOver order;
  in_threads(2, [&](int me) {
    for (long i = 0; i < n / 16; ++i) {
      if (me == 0) {
        require(order.wait(), "hand-over is at once");
      } else {
        while (!order.signal()) std::this_thread::yield();
      }
    }
  });
}

static void semaphores(long n) {
  ravel::counting_semaphore permits{2};
  ravel::binary_semaphore mutex{1};
  long counter = 0;
  in_threads(4, [&](int) {
    for (long i = 0; i < n / 4; ++i) {
      permits.acquire();
      mutex.acquire();
      ++counter;
      mutex.release();
      permits.release();
    }
  });
  require(counter == n / 4 * 4, "the binary semaphore excludes");
  require(!ravel::counting_semaphore(0).try_acquire_for(std::chrono::milliseconds(1)), "time is over");
}

// Two senders, and so many receivers.
template <class Port>
static void pass_on(Port& port, int receivers, long n) {
  long sums[2] = {};
  in_threads(2 + receivers, [&](int me) {
    for (long i = 0; me < 2 && i < n / 4; ++i) port.send(i);
    for (long i = 0; me >= 2 && i < n / 2 / receivers; ++i) sums[me - 2] += port.receive();
  });
  require(sums[0] + sums[1] == 2 * ((n / 4) * (n / 4 - 1) / 2), "what was sent is received");
}

static void ports(long n) {
  ravel::port<long> port;
  ravel::mailbox<long> mailbox;
  ravel::sync_port<long> sync;
  ravel::sync_mailbox<long> sync_mailbox;
  pass_on(port, 1, n);
  pass_on(mailbox, 2, n);
  pass_on(sync, 1, n);
  pass_on(sync_mailbox, 2, n);
  require(!port.try_receive() && !port.receive_for(std::chrono::milliseconds(1)), "nothing is left");
  require(!sync.try_receive() && !sync.receive_for(std::chrono::milliseconds(1)), "nobody sends");
}

static void entries(long n) {
  ravel::entry<long, void> deposit{"deposit"};
  ravel::entry<void, long> withdraw{"withdraw"};
  long sum = 0;
  in_threads(3, [&](int me) {
    for (long i = 0; me == 0 && i < n / 2; ++i) deposit.call(i);
    for (long i = 0; me == 1 && i < n / 2; ++i) sum += withdraw.call();
    if (me != 2) return;
    ravel::selective_wait select;
    select.add(deposit);
    select.add(withdraw);
    const int late = select.add_delay(std::chrono::hours(1));
    long slots[2] = {};
    long in = 0;
    long out = 0;
    for (long i = 0; i < n / 2 * 2; ++i) {
      deposit.guard(in - out < 2);
      withdraw.guard(in > out);
      const int chosen = select.choose();
      require(chosen != late, "no delay");
      if (chosen == 1) {
        slots[in++ % 2] = deposit.accept_and_reply();
      } else {
        withdraw.accept();
        withdraw.reply(slots[out++ % 2]);
      }
    }
  });
  require(sum == (n / 2) * (n / 2 - 1) / 2, "what was deposited is withdrawn");
  ravel::selective_wait nothing;
  nothing.add(deposit);
  deposit.guard(false);
  bool thrown = false;
  try {
    (void)nothing.choose();
  } catch (const ravel::select_error&) {
    thrown = true;
  }
  require(thrown, "nothing is open");
  deposit.guard(true);
  const int instead = nothing.add_else();
  require(nothing.choose() == instead, "nobody calls");
}

// Two ports and an entry, whose messages and calls are waited for together, and a port before it is an alternative.
static void selects(long n) {
  ravel::port<long> one{"one"};
  ravel::port<long> other{"other"};
  ravel::entry<long, void> call{"call"};
  long sum = 0;
  long last[2] = {-1, -1};
  bool in_order = true;
  in_threads(4, [&](int me) {
    for (long i = 0; me == 0 && i < n / 4; ++i) one.send(i);
    for (long i = 0; me == 1 && i < n / 4; ++i) other.send(i);
    for (long i = 0; me == 2 && i < n / 4; ++i) call.call(i);
    if (me != 3) return;
    sum += last[0] = one.receive();
    ravel::selective_wait select;
    select.add(call);
    select.add(one);
    select.add(other);
    for (long i = 1; i < n / 4 * 3; ++i) {
      other.guard(i % 8 != 0 || i >= n / 4 * 2);
      const int chosen = select.choose();
      const long value = chosen == 1 ? call.accept_and_reply() : chosen == 2 ? one.receive() : other.receive();
      sum += value;
      if (chosen == 1) continue;
      in_order = in_order && value == last[chosen - 2] + 1;
      last[chosen - 2] = value;
    }
    const int late = select.add_delay(std::chrono::milliseconds(1));
    require(select.choose() == late, "nothing comes any more");
    const int instead = select.add_else();
    require(select.choose() == instead, "nothing is there");
  });
  require(sum == 3 * ((n / 4) * (n / 4 - 1) / 2) && in_order, "what was sent and called is selected, in order");
  ravel::port<long> travels{"travels", ravel::delivery::network};
  bool thrown = false;
  try {
    ravel::selective_wait().add(travels);
  } catch (const std::invalid_argument&) {
    thrown = true;
  }
  require(thrown, "messages that travel are no alternative");
}

int main(int count, char** words) {
  const long n = count > 1 ? std::atol(words[1]) / 16 * 16 : 1600;
  semaphores(n);
  monitors(n);
  ports(n);
  entries(n);
  selects(n);
  std::puts("right");
}

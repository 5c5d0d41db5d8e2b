// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The constructs of ravel/sync.h on real threads, each beside what a person would write by hand, in turns: uncontended
// entry of a monitor against a std::mutex, a port against a queue of mutex and condition variable. Prints the best
// round of each in nanoseconds of processor time per operation.
#include <ravel/sync.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

static double processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

struct ByHand {
  std::mutex mutex;
  long value = 0;
  void step() {
    const std::lock_guard inside(mutex);
    value = value + 1;
  }
};

template <class Monitor>
struct Entered : Monitor {
  long value = 0;
  void step() {
    const auto inside = this->enter("step");
    value = value + 1;
  }
};

class Queue {
 public:
  void send(long value) {
    {
      const std::lock_guard inside(mutex_);
      values_.push_back(value);
    }
    ready_.notify_one();
  }
  long receive() {
    std::unique_lock inside(mutex_);
    ready_.wait(inside, [this] { return !values_.empty(); });
    const long value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<long> values_;
};

template <class Object>
static double steps(long count) {
  Object object;
  const double begin = processor_ns();
  for (long i = 0; i < count; ++i) object.step();
  return (processor_ns() - begin) / static_cast<double>(count);
}

// One thread: sends and receipts alone, without the price of waking.
template <class Channel>
static double messages(long count) {
  Channel channel;
  long sum = 0;
  const double begin = processor_ns();
  for (long i = 0; i < count; i += 16) {
    for (long k = 0; k < 16; ++k) channel.send(i + k);
    for (long k = 0; k < 16; ++k) sum += channel.receive();
  }
  if (sum < 0) std::abort();
  return (processor_ns() - begin) / static_cast<double>(count);
}

// Two threads, waking included.
template <class Channel>
static double passed(long count) {
  Channel channel;
  const double begin = processor_ns();
  std::thread receiver([&] {
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += channel.receive();
    if (sum < 0) std::abort();
  });
  for (long i = 0; i < count; ++i) channel.send(i);
  receiver.join();
  return (processor_ns() - begin) / static_cast<double>(count);
}

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  double best[7];
  std::fill(std::begin(best), std::end(best), 1e18);
  for (int round = 0; round < rounds; ++round) {
    const double now[] = {steps<ByHand>(count),
                          steps<Entered<ravel::monitor_sc>>(count),
                          steps<Entered<ravel::monitor_su>>(count),
                          messages<Queue>(count / 4),
                          messages<ravel::port<long>>(count / 4),
                          passed<Queue>(count / 10),
                          passed<ravel::port<long>>(count / 10)};
    for (int i = 0; i < 7; ++i) best[i] = std::min(best[i], now[i]);
  }
  const char* const names[] = {"mutex", "enter-sc", "enter-su", "queue", "port", "queue-2", "port-2"};
  for (int i = 0; i < 7; ++i) std::printf("%s %.2f\n", names[i], best[i]);
}

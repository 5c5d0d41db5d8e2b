// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// alarm_clock: clients sleep some ticks of a clock. A client looks its entry up again after it has left the monitor,
// when the clock may have removed it.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

namespace {

constexpr int kTicks = 3;
constexpr int kClients = 2;

struct Entry {
  int wake_at = 0;
};

std::mutex monitor;
int now = 0;
std::shared_ptr<Entry> entries[kClients];

void clock_thread() {
  for (int i = 0; i < kTicks; ++i) {
    const std::lock_guard hold(monitor);
    ++now;
    for (std::shared_ptr<Entry>& entry : entries) {
      if (entry && entry->wake_at <= now) entry.reset();
    }
  }
}

std::shared_ptr<Entry> find(int client) {
  const std::lock_guard hold(monitor);
  return entries[client];
}

void client(int number) {
  {
    const std::lock_guard hold(monitor);
    entries[number] = std::make_shared<Entry>(Entry{now + 1});
  }
#ifdef FIXED
  if (const std::shared_ptr<Entry> entry = find(number)) assert(entry->wake_at > 0);
#else
  if (find(number)) {
    const std::shared_ptr<Entry> entry = find(number);
    assert(entry != nullptr);
    assert(entry->wake_at > 0);
  }
#endif
}

}  // namespace

int main() {
  std::thread ticking(clock_thread);
  std::thread first(client, 0);
  std::thread second(client, 1);
  ticking.join();
  first.join();
  second.join();
}

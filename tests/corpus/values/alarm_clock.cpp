// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// alarm_clock C N: a clock ticks N times, C clients sleep two ticks each. A list of two places has the sleepers by the
// time at which they want to be woken. A client looks itself up again after it has left the monitor, when the clock may
// have taken it off the list: it finds nothing, and uses it.
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kSleep = 2;

struct Sleeper {
  int wake_at = 0;
  bool awake = false;
  std::condition_variable woken;
};

class Alarms {
 public:
  // Not locked: the time is a single number.
  [[nodiscard]] int time() const { return now_; }

  // False: the clock has stopped, or the list is full.
  bool add(Sleeper& sleeper) {
    const std::lock_guard hold(monitor_);
    if (stopped_) return false;
    for (Sleeper*& place : list_) {
      if (place != nullptr) continue;
      place = &sleeper;
      return true;
    }
    return false;
  }
  // Not locked: its caller was the last to change that place.
  [[nodiscard]] Sleeper* find(int wake_at) const {
    for (Sleeper* place : list_) {
      if (place != nullptr && place->wake_at == wake_at) return place;
    }
    return nullptr;
  }
  // How many clients wanted to sleep.
  void count() {
    const std::lock_guard hold(monitor_);
    ++sleepers_;
  }
  void sleep(Sleeper& sleeper) {
    std::unique_lock hold(monitor_);
    while (!sleeper.awake) sleeper.woken.wait(hold);
  }
  void tick() {
    const std::lock_guard hold(monitor_);
    ++now_;
    for (Sleeper*& place : list_) {
      if (place != nullptr && place->wake_at <= now_) wake(place);
    }
  }
  void stop() {
    const std::lock_guard hold(monitor_);
    stopped_ = true;
    for (Sleeper*& place : list_) {
      if (place != nullptr) wake(place);
    }
  }
#ifdef FIXED
  [[nodiscard]] int locked_time() {
    const std::lock_guard hold(monitor_);
    return now_;
  }
#endif

 private:
  static void wake(Sleeper*& place) {
    place->awake = true;
    place->woken.notify_all();
    place = nullptr;
  }

  std::mutex monitor_;
  std::array<Sleeper*, 2> list_{};
  int now_ = 0;
  bool stopped_ = false;
  int sleepers_ = 0;
};

Alarms alarms;

void run_clock(int ticks) {
  for (int i = 0; i < ticks; ++i) alarms.tick();
  alarms.stop();
}

void run_client(Sleeper& self) {
#ifdef FIXED
  self.wake_at = alarms.locked_time() + kSleep;
  if (!alarms.add(self)) return;
  alarms.count();
  alarms.sleep(self);
#else
  self.wake_at = alarms.time() + kSleep;
  if (!alarms.add(self)) return;
  if (alarms.find(self.wake_at) == nullptr) return;
  alarms.count();
  alarms.sleep(*alarms.find(self.wake_at));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int clients = argc > 1 ? std::atoi(argv[1]) : 2;
  const int ticks = argc > 2 ? std::atoi(argv[2]) : 5;
  std::deque<Sleeper> sleepers(static_cast<std::size_t>(clients));
  std::thread clock(run_clock, ticks);
  std::vector<std::thread> all;
  for (Sleeper& one : sleepers) all.emplace_back([&one] { run_client(one); });
  clock.join();
  for (std::thread& one : all) one.join();
}

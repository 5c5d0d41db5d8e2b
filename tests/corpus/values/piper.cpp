// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// piper N: N clerks hand out seats and N passengers take them, through a ring of two slots. fill() asks once whether
// the ring is full before it waits: a clerk that barges in fills the slot, the woken one writes beyond it, and the ring
// looks empty. Its seats are gone, and passengers wait for ever.
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Seat {
  int flight = 0;
  int number = 0;
};

class Pipe {
 public:
  void fill(const Seat& seat) {
    std::unique_lock hold(monitor_);
#ifdef FIXED
    while (next(last_) == first_) changed_.wait(hold);
#else
    if (next(last_) == first_) changed_.wait(hold);
#endif
    seats_[last_] = seat;
    last_ = next(last_);
    changed_.notify_all();
  }
  Seat empty() {
    std::unique_lock hold(monitor_);
    while (first_ == last_) changed_.wait(hold);
    const Seat seat = seats_[first_];
    first_ = next(first_);
    changed_.notify_all();
    return seat;
  }

 private:
  static constexpr std::size_t kSlots = 2;
  static std::size_t next(std::size_t slot) {
    return (slot + 1) % (kSlots + 1);
  }

  std::mutex monitor_;
  std::condition_variable changed_;
  std::array<Seat, kSlots + 1> seats_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;  // behind the last one; first_ == last_: empty
};

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 16;
  Pipe pipe;
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back([&pipe, i] { pipe.fill(Seat{714, i}); });
  for (int i = 0; i < count; ++i) all.emplace_back([&pipe] { pipe.empty(); });
  for (std::thread& one : all) one.join();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Barrier reuse: the count is the condition too; a fast thread enters the next round before a slow one has left this
// one.
//
// expect: kind=deadlock threads=T1,T2 lines=sleep preemptions=0
// operations: lock,unlock,broadcast
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Rendezvous {
 public:
  explicit Rendezvous(int parties) : parties_(parties) {}

  void arrive_and_wait() {
    std::unique_lock<std::mutex> lock(mutex_);
#ifdef FIXED
    const int round = round_;
#endif
    if (++arrived_ == parties_) {
      arrived_ = 0;
#ifdef FIXED
      ++round_;
#endif
      all_here_.notify_all();
      return;
    }
#ifdef FIXED
    while (round == round_) {
#else
    while (arrived_ != 0) {
#endif
      all_here_.wait(lock);  // here: sleep
    }
  }

 private:
  const int parties_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  int arrived_ = 0;
#ifdef FIXED
  int round_ = 0;
#endif
};

}  // namespace

int main() {
  Rendezvous rendezvous(2);
  const auto simulate = [&rendezvous] {
    for (int step = 0; step < 2; ++step) {
      rendezvous.arrive_and_wait();
    }
  };
  std::thread left_half(simulate);
  std::thread right_half(simulate);
  left_half.join();
  right_half.join();
  return 0;
}

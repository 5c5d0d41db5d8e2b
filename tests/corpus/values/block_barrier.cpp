// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// block_barrier N P: N threads pass a barrier in blocks of P, each once. The last of a block sets the count back and
// wakes the others; who was woken takes for granted that nobody has come in between. A thread of the next block barges
// in.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class BlockBarrier {
 public:
  explicit BlockBarrier(int parties) : parties_(parties) {}

  void pass() {
    std::unique_lock hold(lock_);
    const int mine = block_;
    if (++arrived_ == parties_) {
      arrived_ = 0;
      ++block_;
      complete_.notify_all();
      return;
    }
#ifdef FIXED
    while (block_ == mine) complete_.wait(hold);
    assert(block_ > mine);
#else
    if (block_ == mine) complete_.wait(hold);
    assert(arrived_ == 0);  // my block is through
#endif
  }

 private:
  const int parties_;
  std::mutex lock_;
  std::condition_variable complete_;
  int arrived_ = 0;
  int block_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 4;
  const int parties = argc > 2 ? std::atoi(argv[2]) : 2;
  BlockBarrier barrier(parties);
  std::vector<std::thread> all;
  for (int i = 0; i < threads / parties * parties; ++i) all.emplace_back([&] { barrier.pass(); });
  for (std::thread& one : all) one.join();
}

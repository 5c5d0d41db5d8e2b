// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A defect of the C++ library, not of the program: acquire() of libstdc++ 12 reads the counter (1), fails to take the
// permit while another thread has it (0), and sleeps for as long as the counter is what it read first. When the permit
// is back by then it is 1 again, and nobody will wake it.
//
// expect: kind=deadlock threads=T0 lines=acquire
// iterations: 5000
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<4> permits(1);
  int guarded = 0;
  const auto work = [&] {
    permits.acquire();  // here: acquire
    ++guarded;
    permits.release();
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(guarded == 2);
  return 0;
}

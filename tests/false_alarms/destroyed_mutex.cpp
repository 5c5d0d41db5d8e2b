// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex destroyed by the one who got it last, while the one that gave it back may still be inside unlock (POSIX
// allows it).
//
// expect: clean
#include <mutex>
#include <thread>

namespace {

struct Counted {
  std::mutex mutex;
  int users = 2;
  void release() {
    mutex.lock();
    const bool last = --users == 0;
    mutex.unlock();
    if (last) delete this;
  }
};

}  // namespace

int main() {
  auto* const counted = new Counted;
  std::thread other([counted] { counted->release(); });
  counted->release();
  other.join();
  return 0;
}

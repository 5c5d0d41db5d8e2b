// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A flag without synchronisation decides which mutex the second thread takes: what the mutexes have received says
// nothing about what it does next. FLAG is its type.
#include <atomic>
#include <mutex>
#include <thread>

#ifndef FLAG
#define FLAG bool
#endif

std::mutex first;
std::mutex second;
FLAG late{false};

void take(std::mutex& mutex) {
  const std::lock_guard inside(mutex);
}

int main() {
  std::thread one([] {
    take(first);
    late = true;
  });
  std::thread two([] {
    if (late) {
      take(second);
    } else {
      take(first);
    }
  });
  std::thread three([] { take(first); });
  one.join();
  two.join();
  three.join();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Three locks in a ring, taken through one helper that gets them by reference.
// FIXED: the last thread takes them in the order of the others. GATE: a lock around all of it.
#include <mutex>
#include <thread>

std::mutex gate;
std::mutex one;
std::mutex two;
std::mutex three;
int work = 0;
std::mutex work_lock;

void both(std::mutex& outer, std::mutex& inner) {
  std::lock_guard<std::mutex> first(outer);
  std::lock_guard<std::mutex> second(inner);
  std::lock_guard<std::mutex> last(work_lock);
  ++work;
}

void first_thread() {
#ifdef GATE
  std::lock_guard<std::mutex> alone(gate);
#endif
  both(one, two);
}

void second_thread() {
#ifdef GATE
  std::lock_guard<std::mutex> alone(gate);
#endif
  both(two, three);
}

void third_thread() {
#ifdef GATE
  std::lock_guard<std::mutex> alone(gate);
#endif
#ifdef FIXED
  both(one, three);
#else
  both(three, one);
#endif
}

int main() {
  std::thread a(first_thread);
  std::thread b(second_thread);
  std::thread c(third_thread);
  a.join();
  b.join();
  c.join();
}

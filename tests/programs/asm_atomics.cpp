// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Synchronisation in inline assembly: a spin lock, a ticket, a count whose flags decide, a compare-exchange, a
// handshake with barriers. All that the compiler keeps in registers over it stays: numbers, flags, vectors.
//
// expect: clean
// operations: load,store,rmw,fence
// variants: -O0;-O1;-O3 -mavx
#include <cassert>
#include <thread>

namespace {

class SpinLock {
 public:
  void lock() {
    int taken = 1;
    for (;;) {
      asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(word_) : : "memory");
      if (taken == 0) return;
      asm volatile("pause");
    }
  }
  void unlock() { asm volatile("movl $0, %0" : "=m"(word_) : : "memory"); }

 private:
  int word_ = 0;
};

long next_ticket(long& counter) {
  long mine = 1;
  asm volatile("lock; xaddq %0, %1" : "+r"(mine), "+m"(counter) : : "memory", "cc");
  return mine;
}

bool is_last(int& references) {
  bool zero;
  asm volatile("lock\n\tdecl %0\n\tsete %1" : "+m"(references), "=q"(zero) : : "memory", "cc");
  return zero;
}

bool replace(unsigned short& word, unsigned short expected, unsigned short desired) {
  unsigned short seen = expected;
  asm volatile("1: lock cmpxchgw %2, %1; jmp 2f; 2:" : "+a"(seen), "+m"(word) : "r"(desired) : "memory", "cc");
  return seen == expected;
}

int get(const int& word) {
  int value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(word) : "memory");
  return value;
}
void set(int& word, int value) {
  asm volatile("movl %1, %0" : "=m"(word) : "r"(value) : "memory");
}

SpinLock spin;
int guarded = 0;
long tickets = 0;
bool taken[4];
int references = 2;
int freed = 0;
unsigned short state = 0;
int winners = 0;
int wants[2];
int both_missed = 0;

double work(int me) {
  double sum = 1.5;
  float parts[4] = {1, 2, 3, 4};
  spin.lock();
  ++guarded;
  for (float& part : parts) part *= 2;
  spin.unlock();
  for (int i = 0; i < 2; ++i) {
    const long mine = next_ticket(tickets);
    assert(!taken[mine]);
    taken[mine] = true;
    sum += static_cast<double>(parts[i]) * 0.25;
  }
  if (replace(state, 0, 1)) ++winners;
  set(wants[me], 1);
  asm volatile("mfence" : : : "memory");
  const bool missed = get(wants[1 - me]) == 0;
  spin.lock();
  both_missed += missed;
  spin.unlock();
  if (is_last(references)) ++freed;
  for (const float part : parts) sum += static_cast<double>(part);
  return sum;
}

}  // namespace

int main() {
  double sums[2] = {};
  std::thread other([&sums] { sums[1] = work(1); });
  sums[0] = work(0);
  other.join();
  assert(guarded == 2 && tickets == 4 && freed == 1 && winners == 1 && both_missed < 2);
  assert(sums[0] == 23.0 && sums[1] == 23.0);
}

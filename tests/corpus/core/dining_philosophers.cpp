// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Dining philosophers: each takes the left fork and then waits for the right one, for ever when all did the same.
//
// expect: kind=deadlock threads=T1,T2,T3 lines=right preemptions=1
// operations: lock,unlock,create,join
#include <pthread.h>

#include <cassert>

namespace {

constexpr int kSeats = 3;
pthread_mutex_t forks[kSeats] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int meals[kSeats];

struct Seat {
  int number;
};

void* dine(void* argument) {
  const int seat = static_cast<Seat*>(argument)->number;
  int left = seat;
  int right = (seat + 1) % kSeats;
#ifdef FIXED
  // The last one begins with the other hand: no circle can close.
  if (right < left) {
    left = right;
    right = seat;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);  // here: right
  meals[seat] += 1;
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return nullptr;
}

}  // namespace

int main() {
  pthread_t threads[kSeats];
  Seat seats[kSeats];
  for (int i = 0; i < kSeats; ++i) {
    seats[i].number = i;
    pthread_create(&threads[i], nullptr, dine, &seats[i]);
  }
  for (int i = 0; i < kSeats; ++i) {
    pthread_join(threads[i], nullptr);
    assert(meals[i] == 1);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each value of a choice goes through a pipe that two threads read: what is tried for one value is tried for the
// others.
#include <pthread.h>
#include <ravel/ravel.h>
#include <unistd.h>

static int ends[2];
static char got[2];

static void* take(void* place) {
  if (read(ends[0], place, 1) != 1) got[0] = 9;
  return nullptr;
}

int main() {
  if (pipe(ends) != 0) return 1;
  pthread_t first, second;
  pthread_create(&first, nullptr, take, &got[0]);
  pthread_create(&second, nullptr, take, &got[1]);
  const char value = static_cast<char>(1 + ravel::choose(3));
  const char other = static_cast<char>(value + 3);
  if (write(ends[1], &value, 1) != 1 || write(ends[1], &other, 1) != 1) return 1;
  pthread_join(first, nullptr);
  pthread_join(second, nullptr);
  ravel::observe("first", got[0]);
  ravel::observe("second", got[1]);
}

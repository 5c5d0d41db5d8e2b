// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A mutex is copied with the structure it protects, while another thread holds it: the copy is locked for ever.
//
// expect: kind=deadlock lines=lock_copy preemptions=1 also=data-race
// cause: blocked-thread
#include <pthread.h>

#include <cstring>
#include <thread>

struct Account {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int balance = 100;
};

Account account;
Account copy;

void deposit() {
  pthread_mutex_lock(&account.mutex);
  account.balance = account.balance + 1;
  pthread_mutex_unlock(&account.mutex);
}

int main() {
  std::thread depositor(deposit);
#ifdef FIXED
  pthread_mutex_lock(&account.mutex);
  copy.balance = account.balance;
  pthread_mutex_unlock(&account.mutex);
#else
  std::this_thread::yield();
  std::memcpy(static_cast<void*>(&copy), &account, sizeof copy.mutex);
#endif
  pthread_mutex_lock(&copy.mutex);  // here: lock_copy
  copy.balance = copy.balance - 1;
  pthread_mutex_unlock(&copy.mutex);
  depositor.join();
  return 0;
}

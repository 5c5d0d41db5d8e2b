// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Time-outs come when they like, but a wait for what nobody gives ends with one, never with success.
//
// options: --timeouts adversarial
// expect: clean
// outcomes: ends=110,110,110,110,110,11,110,0
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t held;
static sem_t release;
static sem_t empty;

static void* holder(void*) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&rwlock);
  sem_post(&held);
  sem_wait(&release);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

static timespec soon() {
  timespec when = {};
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += 1;
  return when;
}

int main() {
  int ends[2];
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  if (pipe(ends) != 0) return 1;
  sem_init(&held, 0, 0);
  sem_init(&release, 0, 0);
  sem_init(&empty, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, holder, nullptr);
  sched_yield();
  sem_wait(&held);
  timespec when = soon();
  const int of_semaphore = sem_timedwait(&empty, &when) == 0 ? 0 : errno;
  when = soon();
  const int of_mutex = pthread_mutex_timedlock(&mutex, &when);
  when = soon();
  const int of_reading = pthread_rwlock_timedrdlock(&rwlock, &when);
  when = soon();
  const int of_writing = pthread_rwlock_timedwrlock(&rwlock, &when);
  pthread_mutex_lock(&other_mutex);
  when = soon();
  const int of_condition = pthread_cond_timedwait(&condition, &other_mutex, &when);
  pthread_mutex_unlock(&other_mutex);
  const timespec second = {1, 0};
  const int of_signal = sigtimedwait(&set, nullptr, &second) < 0 ? errno : 0;
  when = soon();
  const int of_join = pthread_timedjoin_np(thread, nullptr, &when);
  pollfd one = {ends[0], POLLIN, 0};
  const int of_poll = poll(&one, 1, 1000);
  sem_post(&release);
  pthread_join(thread, nullptr);
  char text[100];
  snprintf(text, sizeof text, "%d,%d,%d,%d,%d,%d,%d,%d", of_semaphore, of_mutex, of_reading, of_writing, of_condition,
           of_signal, of_join, of_poll);
  ravel::observe("ends", text);
}

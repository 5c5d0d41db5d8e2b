// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C library's own functions, looked up in the C library itself: what lies between (the runtime of controlled mode)
// is passed by. Looked up on first use, since constructors of other libraries may come before ours.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern "C" {
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept __attribute__((noreturn));
void __assert_perror_fail(int, const char*, unsigned, const char*) noexcept __attribute__((noreturn));
size_t malloc_usable_size(void*) noexcept;
void* memalign(size_t, size_t) noexcept;
void* pvalloc(size_t) noexcept;
int usleep(unsigned);
unsigned sleep(unsigned);
void abort() noexcept __attribute__((noreturn));
}

namespace ravel::fr {

// name, symbol version or nullptr for the default one
#define RAVEL_LIBRARY_FUNCTIONS(X)         \
  X(pthread_create, nullptr)               \
  X(pthread_join, nullptr)                 \
  X(pthread_timedjoin_np, nullptr)         \
  X(pthread_clockjoin_np, nullptr)         \
  X(pthread_tryjoin_np, nullptr)           \
  X(pthread_exit, nullptr)                 \
  X(pthread_key_create, nullptr)           \
  X(pthread_setspecific, nullptr)          \
  X(pthread_mutex_lock, nullptr)           \
  X(pthread_mutex_trylock, nullptr)        \
  X(pthread_mutex_timedlock, nullptr)      \
  X(pthread_mutex_clocklock, nullptr)      \
  X(pthread_mutex_unlock, nullptr)         \
  X(pthread_spin_lock, nullptr)            \
  X(pthread_spin_trylock, nullptr)         \
  X(pthread_spin_unlock, nullptr)          \
  X(pthread_rwlock_rdlock, nullptr)        \
  X(pthread_rwlock_tryrdlock, nullptr)     \
  X(pthread_rwlock_timedrdlock, nullptr)   \
  X(pthread_rwlock_clockrdlock, nullptr)   \
  X(pthread_rwlock_wrlock, nullptr)        \
  X(pthread_rwlock_trywrlock, nullptr)     \
  X(pthread_rwlock_timedwrlock, nullptr)   \
  X(pthread_rwlock_clockwrlock, nullptr)   \
  X(pthread_rwlock_unlock, nullptr)        \
  X(pthread_cond_wait, "GLIBC_2.3.2")      \
  X(pthread_cond_timedwait, "GLIBC_2.3.2") \
  X(pthread_cond_clockwait, nullptr)       \
  X(pthread_cond_signal, "GLIBC_2.3.2")    \
  X(pthread_cond_broadcast, "GLIBC_2.3.2") \
  X(pthread_barrier_init, nullptr)         \
  X(pthread_barrier_wait, nullptr)         \
  X(pthread_once, nullptr)                 \
  X(syscall, nullptr)                      \
  X(_Fork, nullptr)                        \
  X(clone, nullptr)                        \
  X(pthread_kill, nullptr)                 \
  X(pthread_cancel, nullptr)               \
  X(pthread_getattr_np, nullptr)           \
  X(sem_wait, nullptr)                     \
  X(sem_trywait, nullptr)                  \
  X(sem_timedwait, nullptr)                \
  X(sem_clockwait, nullptr)                \
  X(sem_post, nullptr)                     \
  X(thrd_create, nullptr)                  \
  X(thrd_join, nullptr)                    \
  X(mtx_lock, nullptr)                     \
  X(mtx_trylock, nullptr)                  \
  X(mtx_timedlock, nullptr)                \
  X(mtx_unlock, nullptr)                   \
  X(cnd_wait, nullptr)                     \
  X(cnd_timedwait, nullptr)                \
  X(cnd_signal, nullptr)                   \
  X(cnd_broadcast, nullptr)                \
  X(nanosleep, nullptr)                    \
  X(clock_nanosleep, nullptr)              \
  X(usleep, nullptr)                       \
  X(sleep, nullptr)                        \
  X(sigaction, nullptr)                    \
  X(signal, nullptr)                       \
  X(kill, nullptr)                         \
  X(sigwait, nullptr)                      \
  X(sigwaitinfo, nullptr)                  \
  X(sigtimedwait, nullptr)                 \
  X(fstat, nullptr)                        \
  X(read, nullptr)                         \
  X(readv, nullptr)                        \
  X(recv, nullptr)                         \
  X(recvfrom, nullptr)                     \
  X(recvmsg, nullptr)                      \
  X(accept, nullptr)                       \
  X(accept4, nullptr)                      \
  X(write, nullptr)                        \
  X(writev, nullptr)                       \
  X(send, nullptr)                         \
  X(sendto, nullptr)                       \
  X(sendmsg, nullptr)                      \
  X(connect, nullptr)                      \
  X(shutdown, nullptr)                     \
  X(close, nullptr)                        \
  X(poll, nullptr)                         \
  X(select, nullptr)                       \
  X(epoll_wait, nullptr)                   \
  X(mmap, nullptr)                         \
  X(munmap, nullptr)                       \
  X(abort, nullptr)                        \
  X(__assert_fail, nullptr)                \
  X(__assert_perror_fail, nullptr)         \
  X(posix_memalign, nullptr)               \
  X(aligned_alloc, nullptr)                \
  X(memalign, nullptr)                     \
  X(valloc, nullptr)                       \
  X(pvalloc, nullptr)                      \
  X(malloc_usable_size, nullptr)

struct Library {
#define X(name, version) decltype(&::name) name;
  RAVEL_LIBRARY_FUNCTIONS(X)
#undef X
};

extern Library g_library;
extern bool g_library_known;
void look_up_library();

inline const Library& library() {
  if (__builtin_expect(!g_library_known, 0)) look_up_library();
  return g_library;
}

// A function of the C++ library, or nullptr when the process has none.
void* of_cxx_library(const char* symbol);
// A function of libgomp, which calls of its functions prove to be there.
void* of_openmp_library(const char* symbol);

}  // namespace ravel::fr

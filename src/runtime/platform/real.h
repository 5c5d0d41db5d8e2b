// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C library's own versions of what we take over, for programs that run without control and for the runtime itself.
#pragma once

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

namespace ravel::rt {

// name, symbol version or nullptr for the default one
#define RAVEL_REAL_FUNCTIONS(X)            \
  X(pthread_create, nullptr)               \
  X(pthread_join, nullptr)                 \
  X(pthread_tryjoin_np, nullptr)           \
  X(pthread_timedjoin_np, nullptr)         \
  X(pthread_clockjoin_np, nullptr)         \
  X(pthread_detach, nullptr)               \
  X(pthread_exit, nullptr)                 \
  X(pthread_setname_np, nullptr)           \
  X(pthread_getname_np, nullptr)           \
  X(pthread_getattr_np, nullptr)           \
  X(pthread_attr_setstack, nullptr)        \
  X(pthread_key_create, nullptr)           \
  X(pthread_key_delete, nullptr)           \
  X(pthread_getspecific, nullptr)          \
  X(pthread_setspecific, nullptr)          \
  X(pthread_mutex_init, nullptr)           \
  X(pthread_mutex_destroy, nullptr)        \
  X(pthread_mutex_lock, nullptr)           \
  X(pthread_mutex_trylock, nullptr)        \
  X(pthread_mutex_timedlock, nullptr)      \
  X(pthread_mutex_clocklock, nullptr)      \
  X(pthread_mutex_unlock, nullptr)         \
  X(pthread_cond_init, "GLIBC_2.3.2")      \
  X(pthread_cond_destroy, "GLIBC_2.3.2")   \
  X(pthread_cond_wait, "GLIBC_2.3.2")      \
  X(pthread_cond_timedwait, "GLIBC_2.3.2") \
  X(pthread_cond_clockwait, nullptr)       \
  X(pthread_cond_signal, "GLIBC_2.3.2")    \
  X(pthread_cond_broadcast, "GLIBC_2.3.2") \
  X(pthread_rwlock_init, nullptr)          \
  X(pthread_rwlock_destroy, nullptr)       \
  X(pthread_rwlock_rdlock, nullptr)        \
  X(pthread_rwlock_tryrdlock, nullptr)     \
  X(pthread_rwlock_timedrdlock, nullptr)   \
  X(pthread_rwlock_clockrdlock, nullptr)   \
  X(pthread_rwlock_wrlock, nullptr)        \
  X(pthread_rwlock_trywrlock, nullptr)     \
  X(pthread_rwlock_timedwrlock, nullptr)   \
  X(pthread_rwlock_clockwrlock, nullptr)   \
  X(pthread_rwlock_unlock, nullptr)        \
  X(pthread_spin_init, nullptr)            \
  X(pthread_spin_destroy, nullptr)         \
  X(pthread_spin_lock, nullptr)            \
  X(pthread_spin_trylock, nullptr)         \
  X(pthread_spin_unlock, nullptr)          \
  X(pthread_barrier_init, nullptr)         \
  X(pthread_barrier_destroy, nullptr)      \
  X(pthread_barrier_wait, nullptr)         \
  X(pthread_once, nullptr)                 \
  X(sem_init, "GLIBC_2.2.5")               \
  X(sem_destroy, "GLIBC_2.2.5")            \
  X(sem_wait, "GLIBC_2.2.5")               \
  X(sem_trywait, "GLIBC_2.2.5")            \
  X(sem_timedwait, "GLIBC_2.2.5")          \
  X(sem_clockwait, nullptr)                \
  X(sem_post, "GLIBC_2.2.5")               \
  X(sem_getvalue, "GLIBC_2.2.5")           \
  X(nanosleep, nullptr)                    \
  X(clock_nanosleep, nullptr)              \
  X(usleep, nullptr)                       \
  X(sleep, nullptr)                        \
  X(sched_yield, nullptr)                  \
  X(clock_gettime, nullptr)                \
  X(gettimeofday, nullptr)                 \
  X(time, nullptr)                         \
  X(timespec_get, nullptr)                 \
  X(clock, nullptr)                        \
  X(read, nullptr)                         \
  X(write, nullptr)                        \
  X(readv, nullptr)                        \
  X(writev, nullptr)                       \
  X(recv, nullptr)                         \
  X(recvfrom, nullptr)                     \
  X(recvmsg, nullptr)                      \
  X(send, nullptr)                         \
  X(sendto, nullptr)                       \
  X(sendmsg, nullptr)                      \
  X(accept, nullptr)                       \
  X(accept4, nullptr)                      \
  X(connect, nullptr)                      \
  X(shutdown, nullptr)                     \
  X(close, nullptr)                        \
  X(dup2, nullptr)                         \
  X(dup3, nullptr)                         \
  X(pipe, nullptr)                         \
  X(pipe2, nullptr)                        \
  X(socketpair, nullptr)                   \
  X(socket, nullptr)                       \
  X(eventfd, nullptr)                      \
  X(eventfd_read, nullptr)                 \
  X(eventfd_write, nullptr)                \
  X(poll, nullptr)                         \
  X(ppoll, nullptr)                        \
  X(select, nullptr)                       \
  X(pselect, nullptr)                      \
  X(epoll_wait, nullptr)                   \
  X(epoll_pwait, nullptr)                  \
  X(epoll_pwait2, nullptr)                 \
  X(epoll_ctl, nullptr)                    \
  X(__read_chk, nullptr)                   \
  X(__recv_chk, nullptr)                   \
  X(__recvfrom_chk, nullptr)               \
  X(__poll_chk, nullptr)                   \
  X(__ppoll_chk, nullptr)                  \
  X(pthread_kill, nullptr)                 \
  X(pthread_sigqueue, nullptr)             \
  X(raise, nullptr)                        \
  X(sigqueue, nullptr)                     \
  X(pthread_sigmask, nullptr)              \
  X(sigprocmask, nullptr)                  \
  X(sigpending, nullptr)                   \
  X(sigwait, nullptr)                      \
  X(sigwaitinfo, nullptr)                  \
  X(sigtimedwait, nullptr)                 \
  X(sigsuspend, nullptr)                   \
  X(pause, nullptr)                        \
  X(alarm, nullptr)                        \
  X(ualarm, nullptr)                       \
  X(setitimer, nullptr)                    \
  X(getitimer, nullptr)                    \
  X(timer_create, nullptr)                 \
  X(timer_delete, nullptr)                 \
  X(timer_settime, nullptr)                \
  X(timer_gettime, nullptr)                \
  X(timer_getoverrun, nullptr)             \
  X(pthread_cancel, nullptr)               \
  X(pthread_setcancelstate, nullptr)       \
  X(pthread_setcanceltype, nullptr)        \
  X(pthread_testcancel, nullptr)           \
  X(__pthread_register_cancel, nullptr)    \
  X(__pthread_unregister_cancel, nullptr)  \
  X(__pthread_unwind_next, nullptr)        \
  X(thrd_create, nullptr)                  \
  X(thrd_join, nullptr)                    \
  X(thrd_detach, nullptr)                  \
  X(thrd_exit, nullptr)                    \
  X(thrd_sleep, nullptr)                   \
  X(thrd_yield, nullptr)                   \
  X(mtx_init, nullptr)                     \
  X(mtx_destroy, nullptr)                  \
  X(mtx_lock, nullptr)                     \
  X(mtx_trylock, nullptr)                  \
  X(mtx_timedlock, nullptr)                \
  X(mtx_unlock, nullptr)                   \
  X(cnd_init, nullptr)                     \
  X(cnd_destroy, nullptr)                  \
  X(cnd_wait, nullptr)                     \
  X(cnd_timedwait, nullptr)                \
  X(cnd_signal, nullptr)                   \
  X(cnd_broadcast, nullptr)                \
  X(pthread_setaffinity_np, nullptr)       \
  X(pthread_getaffinity_np, nullptr)       \
  X(fcntl, nullptr)                        \
  X(lockf, nullptr)                        \
  X(dup, nullptr)                          \
  X(flock, nullptr)                        \
  X(fclose, nullptr)                       \
  X(flockfile, nullptr)                    \
  X(ftrylockfile, nullptr)                 \
  X(funlockfile, nullptr)                  \
  X(fputs, nullptr)                        \
  X(fputc, nullptr)                        \
  X(putc, nullptr)                         \
  X(putchar, nullptr)                      \
  X(puts, nullptr)                         \
  X(fwrite, nullptr)                       \
  X(fflush, nullptr)                       \
  X(fgetc, nullptr)                        \
  X(getc, nullptr)                         \
  X(getchar, nullptr)                      \
  X(ungetc, nullptr)                       \
  X(fgets, nullptr)                        \
  X(fread, nullptr)                        \
  X(getline, nullptr)                      \
  X(getdelim, nullptr)                     \
  X(vfprintf, nullptr)                     \
  X(vprintf, nullptr)                      \
  X(__vfprintf_chk, nullptr)               \
  X(__vprintf_chk, nullptr)                \
  X(dlopen, nullptr)                       \
  X(dlmopen, nullptr)                      \
  X(dlclose, nullptr)                      \
  X(getrandom, nullptr)                    \
  X(getentropy, nullptr)                   \
  X(arc4random, nullptr)                   \
  X(arc4random_buf, nullptr)               \
  X(arc4random_uniform, nullptr)           \
  X(sched_getcpu, nullptr)                 \
  X(get_nprocs, nullptr)                   \
  X(get_nprocs_conf, nullptr)              \
  X(sysconf, nullptr)                      \
  X(open, nullptr)                         \
  X(openat, nullptr)                       \
  X(creat, nullptr)                        \
  X(fopen, nullptr)                        \
  X(mkstemp, nullptr)                      \
  X(mkostemp, nullptr)                     \
  X(mkstemps, nullptr)                     \
  X(mkostemps, nullptr)                    \
  X(mkdtemp, nullptr)                      \
  X(mktemp, nullptr)                       \
  X(_Fork, nullptr)                        \
  X(pthread_mutex_consistent, nullptr)     \
  X(aio_read, nullptr)                     \
  X(aio_write, nullptr)                    \
  X(aio_fsync, nullptr)                    \
  X(lio_listio, nullptr)                   \
  X(getaddrinfo_a, nullptr)                \
  X(mq_notify, nullptr)                    \
  X(timerfd_create, nullptr)               \
  X(signalfd, nullptr)                     \
  X(exit, nullptr)                         \
  X(_exit, nullptr)                        \
  X(quick_exit, nullptr)                   \
  X(abort, nullptr)                        \
  X(mmap, nullptr)                         \
  X(mprotect, nullptr)                     \
  X(mremap, nullptr)                       \
  X(munmap, nullptr)                       \
  X(sigaction, nullptr)                    \
  X(longjmp, nullptr)                      \
  X(_longjmp, nullptr)                     \
  X(siglongjmp, nullptr)                   \
  X(__longjmp_chk, nullptr)                \
  X(__libc_start_main, nullptr)            \
  X(__cxa_guard_acquire, nullptr)          \
  X(__cxa_guard_release, nullptr)          \
  X(__cxa_guard_abort, nullptr)            \
  X(rand, nullptr)                         \
  X(srand, nullptr)                        \
  X(random, nullptr)                       \
  X(srandom, nullptr)                      \
  X(drand48, nullptr)                      \
  X(lrand48, nullptr)                      \
  X(mrand48, nullptr)                      \
  X(srand48, nullptr)                      \
  X(setenv, nullptr)                       \
  X(unsetenv, nullptr)                     \
  X(putenv, nullptr)                       \
  X(clearenv, nullptr)                     \
  X(getenv, nullptr)                       \
  X(secure_getenv, nullptr)                \
  X(times, nullptr)                        \
  X(getrusage, nullptr)                    \
  X(sysinfo, nullptr)                      \
  X(gmtime, nullptr)                       \
  X(localtime, nullptr)                    \
  X(asctime, nullptr)                      \
  X(ctime, nullptr)                        \
  X(get_phys_pages, nullptr)               \
  X(get_avphys_pages, nullptr)             \
  X(tmpnam, nullptr)                       \
  X(tmpnam_r, nullptr)                     \
  X(tempnam, nullptr)                      \
  X(sigaltstack, nullptr)                  \
  X(posix_spawn, "GLIBC_2.15")             \
  X(posix_spawnp, "GLIBC_2.15")            \
  X(system, nullptr)                       \
  X(popen, nullptr)                        \
  X(execve, nullptr)                       \
  X(stat, nullptr)                         \
  X(lstat, nullptr)                        \
  X(access, nullptr)                       \
  X(faccessat, nullptr)                    \
  X(getcwd, nullptr)                       \
  X(readlink, nullptr)                     \
  X(unlink, nullptr)                       \
  X(unlinkat, nullptr)                     \
  X(rename, nullptr)                       \
  X(mkdir, nullptr)                        \
  X(rmdir, nullptr)                        \
  X(link, nullptr)                         \
  X(symlink, nullptr)                      \
  X(truncate, nullptr)                     \
  X(ftruncate, nullptr)                    \
  X(lseek, nullptr)                        \
  X(chdir, nullptr)                        \
  X(umask, nullptr)                        \
  X(pread, nullptr)                        \
  X(pwrite, nullptr)                       \
  X(fork, nullptr)                         \
  X(wait, nullptr)                         \
  X(waitpid, nullptr)                      \
  X(wait4, nullptr)                        \
  X(waitid, nullptr)                       \
  X(execvp, nullptr)                       \
  X(execvpe, nullptr)                      \
  X(fexecve, nullptr)                      \
  X(__cxa_throw, nullptr)                  \
  X(__cxa_end_catch, nullptr)              \
  X(__assert_fail, nullptr)                \
  X(__assert_perror_fail, nullptr)

}  // namespace ravel::rt

// Declarations that the headers lack, or that only some of the languages see.
extern "C" {
int __libc_start_main(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
int __cxa_guard_acquire(void*);
void __cxa_guard_release(void*);
void __cxa_guard_abort(void*);
void __cxa_throw(void*, void*, void (*)(void*)) __attribute__((noreturn));
void __cxa_end_catch();
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept __attribute__((noreturn));
void __assert_perror_fail(int, const char*, unsigned, const char*) noexcept __attribute__((noreturn));
int munmap(void*, size_t) noexcept;
int mprotect(void*, size_t, int) noexcept;
void* mremap(void*, size_t, size_t, int, ...) noexcept;
void* mmap(void*, size_t, int, int, int, off_t) noexcept;
void* mmap64(void*, size_t, int, int, int, off64_t) noexcept;
int __vfprintf_chk(FILE*, int, const char*, __builtin_va_list);
int __vprintf_chk(int, const char*, __builtin_va_list);
void __pthread_register_cancel(__pthread_unwind_buf_t*);
void __pthread_unregister_cancel(__pthread_unwind_buf_t*);
void __pthread_unwind_next(__pthread_unwind_buf_t*) __attribute__((noreturn));
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void*, size_t, size_t, int, sockaddr*, socklen_t*);
int __poll_chk(pollfd*, nfds_t, int, size_t);
int __ppoll_chk(pollfd*, nfds_t, const timespec*, const sigset_t*, size_t);
void __longjmp_chk(__jmp_buf_tag*, int) __attribute__((noreturn));
int usleep(unsigned);
unsigned sleep(unsigned);
void exit(int) noexcept __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void quick_exit(int) noexcept __attribute__((noreturn));
void abort() noexcept __attribute__((noreturn));
int sched_yield() noexcept;
}

namespace ravel::rt {

struct RealFunctions {
#define X(name, version) decltype(&::name) name;
  RAVEL_REAL_FUNCTIONS(X)
#undef X
};

// Looked up on first use; members are nullptr when the process has no such function (no C++ library, say).
const RealFunctions& real();
// For functions that have no name in C: the next one after ours, or nullptr.
void* library_function(const char* symbol);

}  // namespace ravel::rt

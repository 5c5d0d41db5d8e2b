# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Descriptors, signals, cancellation, timers: what reaches a thread through the system."""
from __future__ import annotations

from maker import Maker
from model import MAIN, Op, Thing

THINGS = (
    Thing("ends", "int ends[2];", "if (pipe(ends) != 0) return 8;"),
    Thing("quick_ends", "int quick_ends[2];", "if (pipe2(quick_ends, O_NONBLOCK) != 0) return 8;"),
    Thing("pair", "int pair[2];", "if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 8;"),
    Thing("counter", "int counter;", "counter = eventfd(0, 0);"),
    Thing("counter_one", "int counter_one;", "counter_one = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);"),
    Thing("watcher", "int watcher;", "{ watcher = epoll_create1(0); epoll_event e{}; e.events = EPOLLIN; epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &e); }",
          needs=("ends",)),
    Thing("stream", "FILE* stream;", "stream = tmpfile(); fputs(\"1234\", stream); rewind(stream);"),
    Thing("file", "int file;", "file = fileno(tmpfile());"),
    Thing("handled", "std::atomic<int> handled;"),
    Thing("on_signal", "void on_signal(int) { handled.fetch_add(1); }", "signal(SIGUSR1, on_signal);", needs=("handled",)),
    Thing("blocked_set", "sigset_t blocked_set;", "sigemptyset(&blocked_set); sigaddset(&blocked_set, SIGUSR2); pthread_sigmask(SIG_BLOCK, &blocked_set, nullptr);"),
    Thing("handled_set", "sigset_t handled_set;", "sigemptyset(&handled_set); sigaddset(&handled_set, SIGUSR1);"),
    Thing("never", "sem_t never;", "sem_init(&never, 0, 0);"),
    Thing("note_cleanup", "void note_cleanup(void*) { x.fetch_add(1); }", needs=("x",)),
    Thing("on_time", "void on_time(sigval) { x.fetch_add(1); }", needs=("x",)),
    Thing("on_alarm", "void on_alarm(int) { x.fetch_add(1); }", "signal(SIGALRM, on_alarm);", needs=("x",)),
)


def pipes(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("pipe", maker.pick([
        f"{{ char c = {value}; o(\"{label}\", write(ends[1], &c, 1)); }}",
        f"{{ char c = {value}; o(\"{label}\", write(ends[1], &c, 1)); }}",
        f"{{ char c = 0; long n = read(ends[0], &c, 1); o(\"{label}\", n * 10 + c); }}",
        f"{{ char c = {value}; o(\"{label}\", write(quick_ends[1], &c, 1)); }}",
        f"{{ char c = 0; long n = read(quick_ends[0], &c, 1); o(\"{label}\", n < 0 ? -errno : n * 10 + c); }}",
    ]))


def polls(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("poll", maker.pick([
        f"{{ char c = {value}; o(\"{label}\", write(ends[1], &c, 1)); }}",
        f"{{ pollfd f{{ends[0], POLLIN, 0}}; int n = poll(&f, 1, 0); o(\"{label}\", n * 100 + f.revents); }}",
        f"{{ pollfd f{{ends[0], POLLIN, 0}}; int n = poll(&f, 1, 5); o(\"{label}\", n * 100 + f.revents); }}",
        f"{{ epoll_event e{{}}; o(\"{label}\", epoll_wait(watcher, &e, 1, 0)); }}",
    ]))


def sockets(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("socket", maker.pick([
        f"{{ char c = {value}; o(\"{label}\", send(pair[1], &c, 1, MSG_NOSIGNAL)); }}",
        f"{{ char c = 0; long n = recv(pair[0], &c, 1, 0); o(\"{label}\", n * 10 + c); }}",
        f"{{ char c = 0; long n = recv(pair[0], &c, 1, MSG_DONTWAIT); o(\"{label}\", n < 0 ? -errno : n * 10 + c); }}",
        f"o(\"{label}\", shutdown(pair[1], SHUT_WR));",
    ]))


def events(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    return Op("eventfd", maker.pick([
        f"eventfd_write(counter, {value});", f"eventfd_write(counter_one, {value});",
        f"{{ eventfd_t v = 0; eventfd_read(counter, &v); o(\"{label}\", long(v)); }}",
        f"{{ eventfd_t v = 0; int r = eventfd_read(counter_one, &v); o(\"{label}\", r < 0 ? -errno : long(v)); }}",
    ]))


def files(maker: Maker) -> Op:
    """Contents and positions of a file, what a stream holds, the mask of new files."""
    label, value = maker.label(), maker.value()
    return Op("files", maker.pick([
        f"{{ char c = {value}; o(\"{label}\", write(file, &c, 1)); }}",
        f"{{ char c = {value}; o(\"{label}\", pwrite(file, &c, 1, 0)); }}",
        f"{{ char c = 0; long n = pread(file, &c, 1, 0); o(\"{label}\", n * 10 + c); }}",
        f"o(\"{label}\", lseek(file, 0, SEEK_CUR));",
        f"o(\"{label}\", fgetc(stream));",
        f"o(\"{label}\", umask({value}));",
    ]))


def target(maker: Maker) -> str:
    """A thread that is sure to exist: main may name all workers, the second worker the first one, everybody main and itself."""
    maker.handles = True
    known = ["h0", "pthread_self()"]
    if maker.thread == MAIN:
        known += [f"h{n}" for n in range(1, maker.workers + 1)] * 2
    elif maker.thread > 1:
        known += ["h1"] * 2
    return maker.pick(known)


def signals(maker: Maker) -> Op:
    label, code = maker.label(), maker.inside()[0]
    return Op("signal", maker.pick([
        f"pthread_kill({target(maker)}, SIGUSR1 + 0 * (on_signal == nullptr)); {code}",
        f"pthread_kill({target(maker)}, SIGUSR1 + 0 * (on_signal == nullptr)); {code}",
        f"o(\"{label}\", handled.load());",
        f"{{ pthread_sigmask(SIG_BLOCK, &handled_set, nullptr); {code} o(\"{label}\", handled.load()); pthread_sigmask(SIG_UNBLOCK, &handled_set, nullptr); }}",
        "raise(SIGUSR1 + 0 * (on_signal == nullptr));",
        code,
    ]))


def signal_waits(maker: Maker) -> Op:
    """A wait that nobody ends would wait for signals from outside, in real time: the only one without a time-out is sure to get its signal."""
    label, code = maker.label(), maker.inside()[0]
    known = "0 * sigismember(&blocked_set, 1)"
    if maker.thread == 1 and maker.last and maker.random.random() < 0.5:
        maker.closing.append(Op("sigwait", f"pthread_kill(h1, SIGUSR2 + {known});"))
        maker.handles = True
        return Op("sigwait", f"{{ int n = 0; sigwait(&blocked_set, &n); o(\"{label}\", n); }}", last=True)
    taken = [] if maker.thread == 1 else [
        f"{{ timespec t{{0, 0}}; o(\"{label}\", sigtimedwait(&blocked_set, nullptr, &t) == SIGUSR2); }}",
        f"{{ timespec t{{0, 1000}}; o(\"{label}\", sigtimedwait(&blocked_set, nullptr, &t) == SIGUSR2); }}",
    ]
    return Op("sigwait", maker.pick([
        f"pthread_kill({target(maker)}, SIGUSR2 + {known}); {code}",
        f"pthread_kill({target(maker)}, SIGUSR2 + {known}); {code}",
        f"kill(getpid(), SIGUSR2 + {known});",
        f"{{ sigset_t p; sigpending(&p); o(\"{label}\", sigismember(&p, SIGUSR2) + {known}); }}",
        *taken,
    ]))


def interrupted(maker: Maker) -> Op:
    """Signals to threads that wait."""
    label, code = maker.label(), maker.inside()[0]
    return Op("interrupted", maker.pick([
        f"pthread_kill({target(maker)}, SIGUSR1 + 0 * (on_signal == nullptr)); {code}",
        f"{{ char c = 0; long n = read(ends[0], &c, 1); o(\"{label}\", n < 0 ? -errno : n * 10 + c); }}",
        "{ char c = 1; if (write(ends[1], &c, 1) != 1) abort(); }",
        f"{{ pollfd f{{ends[0], POLLIN, 0}}; int n = poll(&f, 1, 5); o(\"{label}\", n < 0 ? -errno : n); }}",
        f"o(\"{label}\", usleep(50) == 0 ? 0 : errno);",
        f"{{ struct sigaction a = {{}}; sigaction(SIGUSR1 + 0 * (on_signal == nullptr), nullptr, &a); pause(); o(\"{label}\", handled.load()); }}",
    ]))


def cancel(maker: Maker) -> Op:
    """Main cancels workers; what they wait for is a point of cancellation."""
    label, code = maker.label(), maker.inside()[0]
    if maker.thread == MAIN:
        maker.handles = True
        return Op("cancel", maker.pick([f"pthread_cancel(h{maker.pick(range(1, maker.workers + 1))});", "sem_post(&never);", code]))
    return Op("cancel", maker.pick([
        f"pthread_testcancel(); {code}",
        f"{{ int s; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &s); {code} pthread_testcancel(); {maker.access()[0]} pthread_setcancelstate(s, &s); }}",
        f"pthread_cleanup_push(note_cleanup, nullptr); {code} sem_wait(&never); pthread_cleanup_pop(0);",
        f"pthread_cleanup_push(note_cleanup, nullptr); {code} pthread_testcancel(); pthread_cleanup_pop(1);",
        f"o(\"{label}\", usleep(50)); {code}",
        code,
    ]))


def timers(maker: Maker) -> Op:
    code = maker.inside()[0]
    arm = "itimerspec t{}; t.it_value.tv_nsec = 1000; timer_settime(timer, 0, &t, nullptr);"
    return Op("timer", maker.pick([
        f"{{ timer_t timer; sigevent e{{}}; e.sigev_notify = SIGEV_THREAD; e.sigev_notify_function = on_time; timer_create(CLOCK_MONOTONIC, &e, &timer); {arm} }} {code}",
        f"{{ timer_t timer; sigevent e{{}}; e.sigev_notify = SIGEV_SIGNAL; e.sigev_signo = SIGALRM + 0 * (on_alarm == nullptr); "
        f"timer_create(CLOCK_MONOTONIC, &e, &timer); {arm} }} {code}",
        f"usleep(50); {code}",
        code,
    ]))


FAMILIES = {
    "pipe": pipes, "poll": polls, "socket": sockets, "eventfd": events, "files": files, "signal": signals, "sigwait": signal_waits, "interrupted": interrupted,
    "cancel": cancel, "timer": timers,
}

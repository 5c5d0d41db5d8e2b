// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// record_sequence("run.syn"): the order of what threads do with named semaphores, monitors, ports, entries and labels,
// on real threads without Ravel, as a file for `ravel syn test'. Call it first thing in main. The file is written when
// the program exits, or is ended by a signal that nobody handles (SIGINT, SIGTERM, SIGABRT, SIGSEGV, ...): a program
// that stands still is ended with Ctrl-C.
//
// Each object counts its events under its own lock; each thread keeps its own, with these numbers. Nothing is common to
// all. Threads are known by lineage if they were started by ravel::thread (ravel/thread.h); others are numbered in the
// order of their start, as children of main, and the file says so. Under Ravel record_sequence() does nothing.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include "ravel/ravel.h"

namespace ravel::detail {

// Inside of an execution under Ravel.
inline bool controlled() {
  return &ravel_exploring != nullptr && ravel_exploring() != 0;
}

// Nothing of this is ever freed: the file is written behind the last thread.
struct recorded_object {
  std::string name;
  std::mutex mutex;
  std::condition_variable changed;
  std::uint32_t count = 0;    // events, under the lock of whom it is about
  bool twice = false;         // another object has the name: neither is in the file
  std::uint32_t written = 0;  // the writer's
  recorded_object* next = nullptr;
};

struct recorded_event {
  recorded_object* object;
  const char* operation;
  const char* port;  // of a rendezvous
  const char* ending;
  std::uint32_t number;  // on its object, from 1
};

struct recorded_thread {
  static constexpr std::uint32_t kMost = 16384;  // as many as a file can have
  static constexpr std::uint32_t kChunk = 256;

  std::string lineage;  // empty: not known
  long id = 0;
  std::atomic<std::uint32_t> children{0};
  std::atomic<std::uint32_t> count{0};
  std::atomic<recorded_event*> chunks[kMost / kChunk] = {};  // made as they are needed
  std::uint32_t messages = 0;  // sent, that travel by themselves; of one of these, its number
  const recorded_thread* sender = nullptr;
  std::uint32_t taken = 0;  // the writer's
  recorded_thread* next = nullptr;

  // A message is received as if it were a thread with one event.
  recorded_thread& next_message();

  void add(const recorded_event& event) {
    const std::uint32_t at = count.load(std::memory_order_relaxed);
    if (at == kMost) return;
    if (at % kChunk == 0) chunks[at / kChunk].store(new recorded_event[kChunk], std::memory_order_release);
    chunks[at / kChunk].load(std::memory_order_relaxed)[at % kChunk] = event;
    count.store(at + 1, std::memory_order_release);
  }
  [[nodiscard]] const recorded_event& operator[](std::uint32_t at) const {
    return chunks[at / kChunk].load(std::memory_order_acquire)[at % kChunk];
  }
};

inline std::atomic<bool> recording{false};
// Under Ravel nothing of the recorder is touched: its accesses would be the program's.
inline bool is_recording() {
  return !controlled() && __builtin_expect(recording.load(std::memory_order_relaxed), 0);
}
inline thread_local recorded_thread* recorded_self = nullptr;

struct recorder {
  std::mutex mutex;
  std::atomic<recorded_object*> objects{nullptr};
  std::atomic<recorded_thread*> threads{nullptr};
  std::atomic<bool> timed_out{false};
  std::atomic_flag done = ATOMIC_FLAG_INIT;
  std::string path;

  static recorder& get() {
    static recorder& one = *new recorder;
    return one;
  }
  recorded_object& add_object(const char* name) {
    const std::lock_guard lock(mutex);
    auto* const made = new recorded_object;
    made->name = name;
    for (recorded_object* other = objects.load(); other != nullptr; other = other->next) {
      if (other->name == made->name) other->twice = made->twice = true;
    }
    made->next = objects.load();
    objects.store(made, std::memory_order_release);
    return *made;
  }
  recorded_object& label(const char* name) {
    const std::lock_guard lock(mutex);
    for (recorded_object* other = labels.load(); other != nullptr; other = other->next) {
      if (other->name == name) return *other;
    }
    auto* const made = new recorded_object;
    made->name = name;
    made->next = labels.load();
    labels.store(made, std::memory_order_release);
    return *made;
  }
  recorded_thread& add_thread(const std::string& lineage) {
    auto* const made = new recorded_thread;
    made->lineage = lineage;
    const std::lock_guard lock(mutex);
    made->next = threads.load();
    threads.store(made, std::memory_order_release);
    return *made;
  }
  std::atomic<recorded_object*> labels{nullptr};
};

inline recorded_thread& recorded_thread::next_message() {
  recorded_thread& made = recorder::get().add_thread("");
  made.id = id;
  made.sender = this;
  made.messages = ++messages;
  return made;
}

inline recorded_thread& this_thread() {
  if (recorded_self == nullptr) {
    const long id = syscall(SYS_gettid);
    recorded_self = &recorder::get().add_thread(id == getpid() ? "main" : "");
    recorded_self->id = id;
  }
  return *recorded_self;
}

// The caller has the lock of what the object stands for.
inline void note(recorded_object& object, recorded_thread& thread, const char* operation, const char* ending = "",
                 const char* port = nullptr) {
  thread.add({&object, operation, port, ending, ++object.count});
}

// The name of a construct, and its row once something was recorded about it.
class recorded_name {
 public:
  explicit recorded_name(const char* name) : name_(name == nullptr ? "" : name) {}
  recorded_name(const recorded_name&) = delete;
  recorded_name& operator=(const recorded_name&) = delete;

  // Nothing is recorded about what has no name.
  [[nodiscard]] bool on() const { return is_recording() && !name_.empty(); }
  recorded_object& row() {
    recorded_object* known = row_.load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    const std::lock_guard lock(making_);
    known = row_.load(std::memory_order_relaxed);
    if (known == nullptr) row_.store(known = &recorder::get().add_object(name_.c_str()), std::memory_order_release);
    return *known;
  }
  [[nodiscard]] const char* text() const { return name_.c_str(); }

 private:
  const std::string name_;
  std::atomic<recorded_object*> row_{nullptr};
  static inline std::mutex making_;
};

// Writes the file, also from a signal handler: nothing is allocated or locked here.
class sequence_writer {
 public:
  static void at_exit() { sequence_writer(false); }
  static void at_signal(int number) {
    sequence_writer(true);
    signal(number, SIG_DFL);
    raise(number);
  }

 private:
  explicit sequence_writer(bool cut) : cut_(cut) {
    recorder& all = recorder::get();
    if (all.done.test_and_set()) return;
    file_ = open(all.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) return;
    merge(all);
    write_head(all);
    for (recorded_thread* one = all.threads.load(); one != nullptr; one = one->next) write_thread(all, *one);
    put(cut_ ? "...\n" : "expect completed\n");
    flush();
    close(file_);
  }

  // Events whose predecessors on their object are all there; others were on their way, or there is no room for them.
  void merge(const recorder& all) {
    std::uint32_t total = 0;
    for (bool went_on = true; went_on;) {
      went_on = false;
      for (recorded_thread* one = all.threads.load(); one != nullptr; one = one->next) {
        const std::uint32_t count = one->count.load(std::memory_order_acquire);
        while (one->taken < count && total < recorded_thread::kMost) {
          const recorded_event& event = (*one)[one->taken];
          if (event.object->written + 1 != event.number) break;
          ++event.object->written;
          ++one->taken;
          ++total;
          went_on = true;
        }
      }
    }
    for (recorded_thread* one = all.threads.load(); one != nullptr; one = one->next) {
      cut_ = cut_ || one->taken < one->count.load(std::memory_order_acquire) ||
             one->count.load() == recorded_thread::kMost;
    }
  }

  void write_head(const recorder& all) {
    put("ravel-syn 1\n");
    write_command();
    bool guessed = false;
    for (recorded_thread* one = all.threads.load(); one != nullptr; one = one->next) {
      const recorded_thread& whose = one->sender != nullptr ? *one->sender : *one;
      guessed = guessed || (whose.lineage.empty() && one->taken != 0);
    }
    if (guessed || all.timed_out.load()) {
      put("assumed \"");
      if (guessed) put("threads that ravel::thread did not start are numbered in the order of their start");
      if (guessed && all.timed_out.load()) put("; ");
      if (all.timed_out.load()) put("a wait ended by time-out");
      put("\"\n");
    }
    put("only");
    for (recorded_object* one = all.objects.load(); one != nullptr; one = one->next) write_only(*one);
    for (recorded_object* one = all.labels.load(); one != nullptr; one = one->next) write_only(*one);
    put("\norder thread\n");
  }
  void write_only(const recorded_object& object) {
    if (object.twice || object.written == 0) return;
    put(" ");
    name(object.name.c_str());
  }

  // The program and its arguments, from /proc.
  void write_command() {
    char text[4096];
    const ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);
    if (length <= 0) return;
    text[length] = 0;
    put("program ");
    quoted(text);
    put("\n");
    const int from = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (from < 0) return;
    const ssize_t size = read(from, text, sizeof text - 1);
    close(from);
    if (size <= 0) return;
    text[size] = 0;
    for (ssize_t at = static_cast<ssize_t>(strlen(text)) + 1; at < size;) {
      put("arg ");
      quoted(text + at);
      put("\n");
      at += static_cast<ssize_t>(strlen(text + at)) + 1;
    }
  }

  void write_thread(const recorder& all, const recorded_thread& thread) {
    bool begun = false;
    for (std::uint32_t i = 0; i < thread.taken; ++i) {
      const recorded_event& event = thread[i];
      if (event.object->twice) continue;
      if (!begun) write_lineage(all, thread);
      put(begun ? ", " : ": ");
      begun = true;
      name(event.object->name.c_str());
      put("#");
      number(event.number);
      put(" ");
      put(event.operation);
      if (event.port != nullptr) {
        put(" ");
        name(event.port);
      }
      put(event.ending);
    }
    if (begun) put("\n");
  }
  void write_lineage(const recorder& all, const recorded_thread& thread) {
    if (thread.sender != nullptr) {
      write_lineage(all, *thread.sender);
      put("/");
      return number(thread.messages);
    }
    if (!thread.lineage.empty()) return name(thread.lineage.c_str());
    std::uint32_t rank = 1;
    for (recorded_thread* one = all.threads.load(); one != nullptr; one = one->next) {
      rank += one->lineage.empty() && one->sender == nullptr && one->id < thread.id ? 1 : 0;
    }
    put("main.");
    number(rank);
  }

  void put(const char* text) {
    for (; *text != 0; ++text) put_char(*text);
  }
  void put_char(char c) {
    if (used_ == sizeof buffer_) flush();
    buffer_[used_++] = c;
  }
  static bool is_plain(const char* text) {
    for (; *text != 0; ++text) {
      const char c = *text;
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && !(c >= '0' && c <= '9') && c != '.') return false;
    }
    return true;
  }
  void name(const char* text) { is_plain(text) ? put(text) : quoted(text); }
  void quoted(const char* text) {
    put_char('"');
    for (; *text != 0; ++text) {
      const auto c = static_cast<unsigned char>(*text);
      if (c < 0x20 || c == 0x7f) {
        put("\\x");
        put_char("0123456789abcdef"[c >> 4]);
        put_char("0123456789abcdef"[c & 15]);
        continue;
      }
      if (c == '"' || c == '\\') put_char('\\');
      put_char(*text);
    }
    put_char('"');
  }
  void number(std::uint32_t value) {
    char digits[12];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    while (count != 0) put_char(digits[--count]);
  }
  void flush() {
    for (std::size_t from = 0; from < used_;) {
      const ssize_t wrote = ::write(file_, buffer_ + from, used_ - from);
      if (wrote <= 0) break;
      from += static_cast<std::size_t>(wrote);
    }
    used_ = 0;
  }

  int file_ = -1;
  bool cut_;  // the run went on behind what was recorded
  char buffer_[4096];
  std::size_t used_ = 0;
};

}  // namespace ravel::detail

namespace ravel {

// See above. False: the file cannot be written, or another one is being recorded.
inline bool record_sequence(const char* path) {
  if (detail::controlled()) return true;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return false;
  close(file);
  detail::recorder& all = detail::recorder::get();
  {
    const std::lock_guard lock(all.mutex);
    if (!all.path.empty()) return false;
    all.path = path;
  }
  (void)detail::this_thread();
  detail::recording.store(true);
  std::atexit([] { detail::sequence_writer::at_exit(); });
  for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now.sa_handler = [](int which) { detail::sequence_writer::at_signal(which); };
    sigaction(number, &now, nullptr);
  }
  return true;
}

}  // namespace ravel

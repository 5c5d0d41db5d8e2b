// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What two threads do depends on one source of chance, named by the argument: the number of their lock operations is
// drawn from it. A source that Ravel does not control gives another trace each time.
#include <fcntl.h>
#include <immintrin.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
std::atomic<int> signalled{0};

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 1469598103934665603u;
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  return hash;
}

std::string bytes_of(const char* path, std::size_t count) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::uint64_t by_descriptor(const char* path) {
  std::uint64_t value = 0;
  const int fd = open(path, O_RDONLY);
  if (fd < 0 || read(fd, &value, sizeof value) != sizeof value) std::abort();
  close(fd);
  return value;
}

std::uint64_t temporary_name(bool folder) {
  char name[] = "chance-XXXXXX";
  if (folder) {
    if (mkdtemp(name) == nullptr) std::abort();
    rmdir(name);
  } else {
    const int fd = mkstemp(name);
    struct stat about {};
    if (fd < 0 || fstat(fd, &about) != 0 || (about.st_mode & 0777) != 0600) std::abort();
    close(fd);
    unlink(name);
  }
  return hash_of(name);
}

std::uint64_t own_signal(int way) {
  signal(SIGUSR1, [](int) { signalled = 1; });
  int error = 0;
  if (way == 0) error = kill(getpid(), SIGUSR1);
  if (way == 1) error = static_cast<int>(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1));
  if (way == 2) error = kill(0, SIGUSR1);
  if (error != 0) std::abort();
  while (signalled == 0) std::this_thread::yield();  // to the process: another thread may take it
  return static_cast<std::uint64_t>(getpid());
}

std::uint64_t wait_on_counter() {
  const std::uint64_t start = __rdtsc();
  std::uint64_t looks = 0;
  while (__rdtsc() - start < 1'000'000) ++looks;
  return looks;
}

std::uint64_t child_process() {
  const pid_t child = fork();
  if (child == 0) {
    // On its own: real numbers, and the time stamp counter may be read.
    const bool good = getpid() == static_cast<pid_t>(syscall(SYS_getpid)) && getpid() != 5'000'000 && __rdtsc() != 0;
    _exit(good ? 7 : 8);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 7 << 8) std::abort();
  return 1;
}

__attribute__((target("rdrnd"))) std::uint64_t processor_random() {
  unsigned long long value = 0;
  while (_rdrand64_step(&value) == 0) {
  }
  return value;
}

std::uint64_t draw(const std::string& source) {
  std::uint64_t value = 0;
  if (source == "random_device") return std::random_device{}() + std::uint64_t{std::random_device{}()} * 7;
  if (source == "getrandom") return getrandom(&value, sizeof value, 0) == sizeof value ? value : 0;
  if (source == "getrandom-call") return syscall(SYS_getrandom, &value, sizeof value, 0) == sizeof value ? value : 0;
  if (source == "getentropy") return getentropy(&value, sizeof value) == 0 ? value : 0;
  if (source == "urandom") return by_descriptor("/dev/urandom");
  if (source == "random-stream") return hash_of(bytes_of("/dev/random", 100));
  if (source == "at-random") return hash_of(std::string(reinterpret_cast<const char*>(getauxval(AT_RANDOM)), 16));
  if (source == "mkstemp") return temporary_name(false);
  if (source == "mkdtemp") return temporary_name(true);
  if (source == "pid") return hash_of(std::to_string(getpid()) + std::to_string(syscall(SYS_getpid)));
  if (source == "parent") return hash_of(std::to_string(getppid()) + std::to_string(getpgrp()));
  if (source == "tid") return hash_of(std::to_string(gettid()) + std::to_string(syscall(SYS_gettid)));
  if (source == "kill") return own_signal(0);
  if (source == "tgkill") return own_signal(1);
  if (source == "kill-group") return own_signal(2);
  if (source == "processors") return std::thread::hardware_concurrency() + 2 * static_cast<unsigned>(sched_getcpu());
  if (source == "rdtsc") return __rdtsc();
  if (source == "rdtscp") {
    unsigned processor = 0;
    return __rdtscp(&processor) + processor;
  }
  if (source == "rdtsc-wait") return wait_on_counter();
  if (source == "child") return child_process();
  if (source == "clock") return hash_of(std::to_string(time(nullptr)) + std::to_string(clock()));
  if (source == "local-time") {
    const time_t now = 0;
    std::ostringstream out;
    out << localtime(&now)->tm_hour << ' ' << tzname[0];
    return hash_of(out.str());
  }
  if (source == "stdin") return hash_of(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  if (source == "left-behind") {  // a file that the execution before this one has made longer
    std::ofstream("left-behind.txt", std::ios::app) << 'x';
    return bytes_of("left-behind.txt", 100'000).size();
  }
  if (source == "proc") {  // /proc is not controlled
    std::ifstream in("/proc/self/stat");
    std::string number;
    in >> number;
    return hash_of(number);
  }
  if (source == "rdrand") return processor_random();
  std::fprintf(stderr, "unknown source %s\n", source.c_str());
  std::abort();
}

}  // namespace

int main(int count, char** arguments) {
  const std::string source = count > 1 ? arguments[1] : "pid";
  int sum = 0;
  auto work = [&] {
    const std::uint64_t value = draw(source);
    const int times = 1 + static_cast<int>(value * 0x9e3779b97f4a7c15u >> 59);
    std::printf("%d\n", times);
    for (int i = 0; i < times; ++i) {
      const std::lock_guard lock(mutex);
      ++sum;
    }
  };
  // Sources that threads must not use at the same time (files of one name, one handler) are drawn by one of them.
  std::thread first(work);
  std::thread second([&] {
    for (int i = 0; i < 3; ++i) {
      const std::lock_guard lock(mutex);
      ++sum;
    }
  });
  first.join();
  second.join();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that log with time stamps, tens of thousands of steps long, and in the end a number that does not add up: two
// critical sections where there should be one. With SPDLOG the logger is spdlog's, header-only.
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#ifdef SPDLOG
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>
#endif

namespace {

constexpr int kThreads = 3;
#ifdef SPDLOG
constexpr int kLines = 150;

std::ostringstream text;
void log(int self, int line) {
  static const auto logger =
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text));
  logger->info("{} writes line {}", self, line);
}
#else
constexpr int kLines = 1200;

std::mutex output;
std::vector<char> text;
void log(int self, int line) {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const auto steady = std::chrono::steady_clock::now().time_since_epoch();
  char buffer[96];
  const int length =
      std::snprintf(buffer, sizeof buffer, "%lld %lld %d writes line %d\n", static_cast<long long>(wall.count()),
                    static_cast<long long>(steady.count()), self, line);
  const std::lock_guard guard(output);
  text.assign(buffer, buffer + length);
}
#endif

std::mutex total_mutex;
int total = 0;
void count_line() {
  int before = 0;
  {
    const std::lock_guard guard(total_mutex);
    before = total;
  }
  const std::lock_guard guard(total_mutex);
  total = before + 1;
}

void work(int self) {
  for (int line = 0; line < kLines; ++line) {
    log(self, line);
    if (line % 50 == 7) std::this_thread::sleep_for(std::chrono::milliseconds(self + 1));
    count_line();
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  assert(total == kThreads * kLines);
  return 0;
}

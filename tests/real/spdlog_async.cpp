// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// spdlog's asynchronous logger: every line written once, flushed before the pool goes. BROKEN counts in its sink
// without the sink's lock.
//
// expect: clean
// when: long
// broken: kind=data-race|assertion|heap-overflow|use-after-free|signal
// decisive: named
// libraries: -DSPDLOG_FMT_EXTERNAL -lfmt
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

#ifdef BROKEN
using Lock = spdlog::details::null_mutex;
#else
using Lock = std::mutex;
#endif

class Collect : public spdlog::sinks::base_sink<Lock> {
 public:
  std::vector<std::string> lines;
  int flushed = 0;

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    lines.emplace_back(message.payload.data(), message.payload.size());
  }
  void flush_() override { ++flushed; }
};

}  // namespace

int main() {
  const auto sink = std::make_shared<Collect>();
  {
    const auto pool = std::make_shared<spdlog::details::thread_pool>(4, 2);
    const auto logger =
        std::make_shared<spdlog::async_logger>("test", sink, pool, spdlog::async_overflow_policy::block);
    std::thread other([&] { logger->info("other {}", 1); });
    logger->info("main {}", 1);
    logger->info("main {}", 2);
    other.join();
    logger->flush();
  }
  assert(sink->lines.size() == 3);
  return 0;
}

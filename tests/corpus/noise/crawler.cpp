// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// crawler WORKERS: workers wait for connections and serve them; shutdown closes the manager's connection while a worker
// is between looking at it and using it. The worker then fails with the manager's lock held.
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

struct Connection {
  int served = 0;
};

class Manager {
 public:
  void offer(int count) {
    const std::lock_guard hold(lock_);
    waiting_ += count;
    some_.notify_all();
  }
  void work() {
    for (;;) {
      std::unique_lock hold(lock_);
      some_.wait(hold, [this] { return waiting_ > 0 || over_; });
      if (waiting_ == 0) return;
      --waiting_;
      if (connection_ == nullptr) return;  // here: first
#ifndef FIXED
      hold.unlock();  // the environment answers slowly
      hold.lock();
#endif
      if (connection_ == nullptr) {  // here: second
        hold.release();              // left locked on this way out
        throw std::runtime_error("the connection is closed");
      }
      ++connection_->served;
    }
  }
  void shut_down() {
    const std::lock_guard hold(lock_);
    connection_ = nullptr;  // here: close
    over_ = true;
    some_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable some_;
  std::unique_ptr<Connection> connection_ = std::make_unique<Connection>();
  int waiting_ = 0;
  bool over_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 2;
  Manager manager;
  std::vector<std::thread> all;
  for (int i = 0; i < workers; ++i) all.emplace_back([&] { manager.work(); });
  manager.offer(workers);
  manager.shut_down();
  for (std::thread& one : all) one.join();
}

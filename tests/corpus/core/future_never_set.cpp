// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Future never set: the request is sent before its promise is filed; an answer that comes too soon is thrown away.
//
// expect: kind=deadlock threads=T0 lines=answer preemptions=1
// operations: lock,unlock,signal
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace {

class Channel {
 public:
  std::future<int> ask(int id) {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
#ifdef FIXED
    file(id, std::move(promise));
    send(id);
#else
    send(id);
    file(id, std::move(promise));
#endif
    return future;
  }

  void serve_one() {
    std::unique_lock<std::mutex> lock(mutex_);
    sent_.wait(lock, [this] { return !requests_.empty(); });
    const int id = requests_.front();
    requests_.pop_front();
    const auto entry = pending_.find(id);
    if (entry != pending_.end()) {
      entry->second.set_value(id * 2);
    }
  }

 private:
  void send(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    requests_.push_back(id);
    sent_.notify_one();
  }

  void file(int id, std::promise<int> promise) {
    std::lock_guard<std::mutex> guard(mutex_);
    pending_.emplace(id, std::move(promise));
  }

  std::mutex mutex_;
  std::condition_variable sent_;
  std::deque<int> requests_;
  std::map<int, std::promise<int>> pending_;
};

}  // namespace

int main() {
  Channel channel;
  std::thread server([&channel] { channel.serve_one(); });
  const int answer = channel.ask(21).get();  // here: answer
  server.join();
  return answer == 42 ? 0 : 1;
}

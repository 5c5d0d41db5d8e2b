// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Check then act: each call on the table is guarded, but the entry may go between the question and the use.
//
// expect: kind=exception threads=T1,T2 lines=missing preemptions=1
// operations: lock,unlock
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

class Sessions {
 public:
  void open(int id, const std::string& user) {
    std::lock_guard<std::mutex> guard(mutex_);
    users_[id] = user;
  }
  void close(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    users_.erase(id);
  }
  bool contains(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    return users_.count(id) != 0;  // here: asked
  }
  std::string user(int id) {
    std::lock_guard<std::mutex> guard(mutex_);
    const auto entry = users_.find(id);  // here: used
    if (entry == users_.end()) {
      throw std::out_of_range("no such session");  // here: missing
    }
    return entry->second;
  }
  std::string user_or(int id, const std::string& fallback) {
    std::lock_guard<std::mutex> guard(mutex_);
    const auto entry = users_.find(id);
    return entry == users_.end() ? fallback : entry->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::string> users_;
};

std::string greet(Sessions& sessions, int id) {
#ifdef FIXED
  return "hello " + sessions.user_or(id, "guest");
#else
  return sessions.contains(id) ? "hello " + sessions.user(id) : "hello guest";
#endif
}

}  // namespace

int main() {
  Sessions sessions;
  sessions.open(7, "ada");
  std::thread greeter([&sessions] { greet(sessions, 7); });
  std::thread logout([&sessions] { sessions.close(7); });
  greeter.join();
  logout.join();
  return 0;
}

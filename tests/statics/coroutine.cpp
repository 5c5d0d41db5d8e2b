// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A coroutine that main begins and a thread resumes.
// expect: RW 3 MM 0 WM 0 WN 0 classes 2
#include <coroutine>
#include <thread>
int value = 0;
std::coroutine_handle<> waiting;
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
struct Later {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) { waiting = handle; }
  void await_resume() {}
};
Task work() {
  co_await Later{};
  value += 1;
}
int main() {
  work();
  std::thread t1([] { waiting.resume(); });
  std::thread t2([] { value += 2; });
  t1.join();
  t2.join();
}

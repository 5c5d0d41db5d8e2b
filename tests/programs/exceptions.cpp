// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Exceptions that are thrown, caught and rethrown while other threads do the same, with switches in the handlers.
//
// expect: clean
// operations: create,join
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::atomic<int> turn{0};

struct Unwound {
  explicit Unwound(int& counter_) : counter(counter_) {}
  ~Unwound() {
    assert(std::uncaught_exceptions() == 1);
    ++turn;
    ++counter;
  }
  int& counter;
};

void fail(const std::string& text, int& unwound) {
  Unwound guard(unwound);
  ++turn;
  throw std::runtime_error(text);
}

void work(const std::string& name) {
  int unwound = 0;
  for (int i = 0; i < 2; ++i) {
    std::exception_ptr saved;
    try {
      try {
        fail(name, unwound);
      } catch (const std::runtime_error&) {
        ++turn;
        saved = std::current_exception();
        throw;
      }
    } catch (const std::exception& error) {
      std::this_thread::yield();
      assert(error.what() == name);
    }
    bool again = false;
    try {
      std::rethrow_exception(saved);
    } catch (const std::runtime_error& error) {
      again = error.what() == name;
    }
    assert(again);
    assert(std::uncaught_exceptions() == 0);
  }
  assert(unwound == 2);
}

}  // namespace

int main() {
  std::thread first([] { work("first"); });
  std::thread second([] { work("second"); });
  first.join();
  second.join();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Exceptions that unwind through locks, travel by exception_ptr and are read by two threads at once.
//
// expect: clean
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
int entered = 0;

void fail() {
  const std::lock_guard<std::mutex> guard(mutex);
  ++entered;
  throw std::runtime_error("told");
}

void look(const std::exception_ptr& told) {
  try {
    std::rethrow_exception(told);
  } catch (const std::runtime_error& error) {
    assert(std::string(error.what()) == "told");
  }
}

}  // namespace

int main() {
  std::exception_ptr first;
  std::thread one([&] {
    try {
      fail();
    } catch (...) {
      first = std::current_exception();
    }
  });
  try {
    fail();
  } catch (const std::runtime_error&) {
  }
  one.join();
  std::thread reader([&] { look(first); });
  look(first);
  reader.join();
  assert(entered == 2);
  return 0;
}

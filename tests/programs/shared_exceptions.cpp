// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One exception object seen by several threads: whoever lets go of it last destroys it, which is ordered after all
// readers.
//
// expect: clean
// operations: create,join
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

struct Failure : std::runtime_error {
  explicit Failure(int c)
      : std::runtime_error("a failure with a text that is too long to be stored in place"), code(c) {}
  ~Failure() override { code = 0; }
  int code;
};

static void look_at(std::exception_ptr shared) {
  try {
    std::rethrow_exception(shared);
  } catch (const Failure& failure) {
    assert(failure.code == 7);
    assert(failure.what()[0] == 'a');
  }
}

int main() {
  std::exception_ptr caught;
  try {
    throw Failure(7);
  } catch (...) {
    caught = std::current_exception();
  }
  std::thread first(look_at, caught);
  std::thread second(look_at, caught);
  caught = nullptr;
  first.join();
  second.join();

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread producer(
      [own = std::move(promise)]() mutable { own.set_exception(std::make_exception_ptr(Failure(9))); });
  try {
    future.get();
    assert(false);
  } catch (const Failure& failure) {
    assert(failure.code == 9);
  }
  producer.join();
  return 0;
}

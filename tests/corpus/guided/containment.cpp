// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Deadlock(1, n): a vector and a table that contain each other. hash() locks the container and then asks its elements,
// which lock themselves. FIXED: the table does not contain the vector.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

class Element {
 public:
  virtual ~Element() = default;
  virtual int hash(int depth) = 0;
};

class SyncVector : public Element {
 public:
  Element* element = nullptr;
  int hash(int depth) override {
    std::lock_guard<std::mutex> guard(lock_);  // here: vector
    return depth == 0 || element == nullptr ? 1 : 31 * element->hash(depth - 1);
  }

 private:
  std::mutex lock_;
};

class SyncTable : public Element {
 public:
  Element* element = nullptr;
  int hash(int depth) override {
    std::lock_guard<std::mutex> guard(lock_);  // here: table
    return depth == 0 || element == nullptr ? 2 : 17 * element->hash(depth - 1);
  }

 private:
  std::mutex lock_;
};

SyncVector vector;
SyncTable table;
SyncTable others;

int main(int argc, char** argv) {
  const int bystanders = argc > 1 ? std::atoi(argv[1]) : 1;
  vector.element = &table;
#ifndef FIXED
  table.element = &vector;
#endif
  std::vector<std::thread> threads;
  for (int i = 0; i < bystanders; ++i) threads.emplace_back([] { (void)others.hash(1); });
  threads.emplace_back([] { (void)vector.hash(1); });
  threads.emplace_back([] { (void)table.hash(1); });
  for (std::thread& thread : threads) thread.join();
}

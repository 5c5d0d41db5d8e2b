// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AryList(1, n): a wrapper that locks each call of a list. contains_all() walks over another list without that one's
// lock; an element added meanwhile makes the fail-fast check throw.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class ArrayList {
 public:
  virtual ~ArrayList() = default;
  virtual void add(int value) {
    ++mod_count_;  // here: added
    values_.push_back(value);
  }
  virtual int modifications() const { return mod_count_; }
  virtual std::size_t size() const { return values_.size(); }
  virtual int at(std::size_t i) const { return values_[i]; }

 private:
  std::vector<int> values_;
  int mod_count_ = 0;
};

class SyncListWrapper {
 public:
  void add(int value) {
    std::lock_guard<std::mutex> guard(lock_);  // here: add locked
    list_->add(value);
  }
  bool contains_all(SyncListWrapper& other) {
    std::lock_guard<std::mutex> guard(lock_);  // here: locked
#ifdef FIXED
    std::lock_guard<std::mutex> also(other.lock_);
#endif
    const int expected = other.list_->modifications();       // here: iterator made
    for (std::size_t i = 0; i < other.list_->size(); ++i) {  // here: has next
      if (other.list_->modifications() != expected) throw std::runtime_error("concurrent modification");  // here: next
      if (!contains(other.list_->at(i))) return false;
    }
    return true;
  }

 private:
  bool contains(int value) const {
    for (std::size_t i = 0; i < list_->size(); ++i) {
      if (list_->at(i) == value) return true;
    }
    return false;
  }

  std::mutex lock_;
  std::unique_ptr<ArrayList> list_ = std::make_unique<ArrayList>();
};

SyncListWrapper all_values;
SyncListWrapper some_values;

void compare() {
  (void)all_values.contains_all(some_values);
}

void grow() {
  some_values.add(1);
}

int main(int argc, char** argv) {
  const int growers = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int i = 0; i < 3; ++i) all_values.add(i);
  some_values.add(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < growers; ++i) threads.emplace_back(grow);
  threads.emplace_back(compare);
  for (std::thread& thread : threads) thread.join();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AbsList(1, n): two lists with locks of their own. equals() holds the lock of the receiver only while it walks over
// its argument; a thread that adds to the argument meanwhile makes the fail-fast iterator throw. The add is conditional
// on a flag that another thread sets. Virtual calls all the way.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class List;

class Iterator {
 public:
  explicit Iterator(const List& list);
  bool has_next() const;
  int next();

 private:
  const List& list_;
  int expected_;
  std::size_t at_ = 0;
};

class List {
 public:
  virtual ~List() = default;
  virtual bool add(int value) = 0;
  virtual bool equals(List& other) = 0;
  int modifications() const { return mod_count_; }
  std::size_t size() const { return values_.size(); }
  int at(std::size_t i) const { return values_[i]; }

 protected:
  std::vector<int> values_;
  int mod_count_ = 0;
};

Iterator::Iterator(const List& list) : list_(list), expected_(list.modifications()) {}  // here: iterator made
bool Iterator::has_next() const {
  return at_ < list_.size();  // here: has next
}
int Iterator::next() {
  if (list_.modifications() != expected_) throw std::runtime_error("concurrent modification");  // here: next
  return list_.at(at_++);
}

class SyncVector : public List {
 public:
  bool add(int value) override {
    std::lock_guard<std::mutex> guard(lock_);
    ++mod_count_;  // here: added
    values_.push_back(value);
    return true;
  }
  bool equals(List& other) override {
    std::lock_guard<std::mutex> guard(lock_);
#ifdef FIXED
    std::lock_guard<std::mutex> also(static_cast<SyncVector&>(other).lock_);
#endif
    Iterator mine(*this);
    Iterator others(other);
    while (mine.has_next() && others.has_next()) {
      if (mine.next() != others.next()) return false;
    }
    return !mine.has_next() && !others.has_next();
  }

 private:
  std::mutex lock_;
};

std::unique_ptr<List> first = std::make_unique<SyncVector>();
std::unique_ptr<List> second = std::make_unique<SyncVector>();
std::mutex flag_lock;
bool may_add = false;

void body() {
  flag_lock.lock();
  const bool adds = may_add;
  flag_lock.unlock();
  if (adds) second->add(3);
  (void)first->equals(*second);
}

void setter() {
  flag_lock.lock();
  may_add = true;  // here: flag set
  flag_lock.unlock();
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  for (int i = 0; i < 2; ++i) first->add(i);
  for (int i = 0; i < 2; ++i) second->add(i);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body);
  all.emplace_back(setter);
  for (std::thread& thread : all) thread.join();
}

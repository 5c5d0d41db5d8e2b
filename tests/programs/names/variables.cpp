// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads race on variables of every kind, one at a time (by argument); the report must call each by its name.
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

struct Owner {
  long born;
  int children[3];
};

struct Account {
  std::mutex lock;
  int number = 0;
  long balance = 0;
  Owner owner{};
};

struct Savings : Account {
  union {
    int rate;
    float share;
  };
  long bonus = 0;
};

namespace bank {
Account account;
Savings savings;
Account accounts[4];
int matrix[3][5];
std::array<int, 4> fees;
long plain = 0;
}  // namespace bank

template <class Value>
[[gnu::noinline]] void race(Value& value) {
  std::thread first([&] { value = value + 1; });
  std::thread second([&] { value = value + 1; });
  first.join();
  second.join();
}

[[gnu::noinline]] void on_stack() {
  long unrelated[8] = {};
  int counter = 0;  // here: counter
  race(counter);
  if (counter + unrelated[3] > 100) std::abort();
}

[[gnu::noinline]] void in_stack_object() {
  Account local;  // here: local
  race(local.owner.children[2]);
}

[[gnu::noinline]] void in_argument(Owner owner) {  // here: owner
  race(owner.born);
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  static Owner kept;
  if (what == "member") race(bank::account.balance);
  if (what == "inherited") race(bank::savings.owner.born);
  if (what == "union") race(bank::savings.rate);
  if (what == "element") race(bank::accounts[2].number);
  if (what == "matrix") race(bank::matrix[1][4]);
  if (what == "library") race(bank::fees[1]);
  if (what == "plain") race(bank::plain);
  if (what == "static") race(kept.children[1]);
  if (what == "stack") on_stack();
  if (what == "object") in_stack_object();
  if (what == "argument") in_argument(kept);
}

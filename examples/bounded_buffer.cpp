// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A buffer of two slots as a thread that accepts deposits and withdrawals. The guard of `deposit' is GUARD; with
// -D'GUARD=full <= 2' a third item overwrites the first. Prints what was withdrawn; the argument is what goes in.
#include <ravel/sync.h>

#include <cstdio>
#include <string>
#include <thread>

#ifndef GUARD
#define GUARD full < 2
#endif

int main(int count, char** words) {
  const std::string input = count > 1 ? words[1] : "ABC";
  std::string output;
  ravel::entry<char, void> deposit{"deposit"};
  ravel::entry<void, char> withdraw{"withdraw"};

  std::thread producer([&] {
    for (const char item : input) deposit.call(item);
  });
  std::thread consumer([&] {
    for (std::size_t i = 0; i < input.size(); ++i) output += withdraw.call();
  });
  std::thread server([&] {
    ravel::selective_wait select;
    select.add(deposit);
    select.add(withdraw);
    char slots[2] = {};
    int full = 0;
    int in = 0;
    int out = 0;
    for (std::size_t round = 0; round < 2 * input.size(); ++round) {
      deposit.guard(GUARD);
      withdraw.guard(full > 0);
      if (select.choose() == 1) {
        slots[in] = deposit.accept_and_reply();
        in = (in + 1) % 2;
        ++full;
      } else {
        withdraw.accept_and_reply(slots[out]);
        out = (out + 1) % 2;
        --full;
      }
    }
  });
  producer.join();
  consumer.join();
  server.join();
  std::puts(output.c_str());
  ravel::observe("output", output);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Read-modify-write in two steps: load and store are atomic, the pair is not; two customers draw the same ticket.
//
// expect: kind=exit-code threads=T1,T2 lines=load,store preemptions=1
// operations: rmw,create,join
#include <atomic>
#include <thread>

namespace {

class Dispenser {
 public:
  int draw() {
#ifdef FIXED
    return next_.fetch_add(1);
#else
    const int ticket = next_.load();  // here: load
    next_.store(ticket + 1);          // here: store
    return ticket;
#endif
  }

 private:
  std::atomic<int> next_{1};
};

}  // namespace

int main() {
  Dispenser dispenser;
  int first_ticket = 0;
  int second_ticket = 0;
  std::thread first_customer([&] { first_ticket = dispenser.draw(); });
  std::thread second_customer([&] { second_ticket = dispenser.draw(); });
  first_customer.join();
  second_customer.join();
  return first_ticket == second_ticket ? 3 : 0;
}

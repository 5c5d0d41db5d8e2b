// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// airlines RESELLERS SETS CUSTOMERS: resellers look for a free seat in one critical section, sell it in a second, and
// give the customer a ticket in a third. More tickets than seats are an exception at the end.
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int free_seats = 0;
int sold = 0;
int with_ticket = 0;

bool is_free() {
  const std::lock_guard hold(lock);
  return free_seats > 0;  // here: first
}

void sell() {
#ifdef FIXED
  const std::lock_guard hold(lock);
  if (free_seats == 0) return;
  --free_seats;
  ++sold;
  ++with_ticket;
#else
  if (!is_free()) return;
  {
    const std::lock_guard hold(lock);
    --free_seats;  // here: second
    ++sold;
  }
  const std::lock_guard hold(lock);
  ++with_ticket;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int resellers = argc > 1 ? std::atoi(argv[1]) : 2;
  const int sets = argc > 2 ? std::atoi(argv[2]) : 2;
  const int customers = argc > 3 ? std::atoi(argv[3]) : 1;
  const int seats = sets * customers - 1;
  free_seats = seats;
  std::vector<std::thread> all;
  for (int r = 0; r < resellers; ++r) {
    all.emplace_back([=] {
      for (int set = r; set < sets; set += resellers) {
        for (int i = 0; i < customers; ++i) sell();
      }
    });
  }
  for (std::thread& one : all) one.join();
#ifdef FIXED
  (void)is_free;
#endif
  if (with_ticket > seats || sold != with_ticket) throw std::runtime_error("more tickets than seats");
}

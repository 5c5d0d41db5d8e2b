// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Airline(n, cushion): n tickets are issued for n - cushion seats, each by a seller of its own. Sellers stop the sale
// when all seats are sold, which is too late: as many of them as there are seats and one more have to sell before main
// looks. With cushion 0 there are seats enough.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "ravel/ravel.h"

std::atomic<int> sold{0};
std::atomic<bool> stop{false};
int seats = 0;

void seller() {
  ++sold;                         // here: sale
  if (sold > seats) stop = true;  // here: stop
}

int main(int argc, char** argv) {
  const int tickets = argc > 1 ? std::atoi(argv[1]) : 3;
  seats = tickets - (argc > 2 ? std::atoi(argv[2]) : 1);
  std::vector<std::thread> sellers;
  for (int i = 0; i < tickets; ++i) {
    if (stop) {  // here: asked
      --sold;
      break;
    }
    sellers.emplace_back(seller);
  }
  const int all = sold;                        // here: counted
  ravel::check(all <= seats, "all <= seats");  // here: check
  for (std::thread& one : sellers) one.join();
}

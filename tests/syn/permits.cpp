// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small programs of the catalogue with semaphores of any kind (semaphores.h), by -DPROGRAM=number and INIT.
#include "semaphores.h"

#include <mutex>
#include <thread>
#include <vector>

template <class... Bodies>
void run(Bodies... bodies) {
  std::vector<std::thread> threads;
  (threads.emplace_back(bodies), ...);
  for (std::thread& thread : threads) thread.join();
}

#if PROGRAM == 25
#ifdef BINARY
Alternating k{INIT, "k"};
#else
Counting k{INIT, "k"};
#endif
void turn() {
  k.acquire();
  k.release();
}
int main() {
  run(turn, turn);
}

#elif PROGRAM == 31
Counting k{INIT, "k"};
#ifdef TWO
int main() {
  run([] { k.release(); }, [] { k.release(); },
      [] {
        k.acquire();
        k.acquire();
      });
}
#else
int main() {
  run([] { k.release(); }, [] { k.acquire(); });
}
#endif

#elif PROGRAM == 35
std::mutex lock;
Counting a{1, "a"};
Alternating b{1, "b"};
void pass() {
  const std::lock_guard inside(lock);
}
int main() {
  run(
      [] {
        pass();
        a.acquire();
        a.release();
        pass();
      },
      [] {
        pass();
        b.release();
        pass();
      },
      [] {
        b.acquire();
        b.release();
        a.acquire();
      });
}
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Small programs of the catalogue with monitors, on ravel/monitor.h; PROGRAM is the number.
#include <ravel/monitor.h>
#include <ravel/semaphore.h>

#include <thread>
#include <vector>

#ifdef SU
using Monitor = ravel::monitor_su;
#else
using Monitor = ravel::monitor_sc;
#endif

template <class... Bodies>
void run(Bodies... bodies) {
  std::vector<std::thread> threads;
  (threads.emplace_back(bodies), ...);
  for (std::thread& thread : threads) thread.join();
}

#if PROGRAM == 27
struct First : Monitor {
  ravel::condition signalled{*this, "signalled"};
  bool before = false;
  void a() {
    const auto in = enter("a");
#ifdef ASKS
    if (before) return;
#endif
    signalled.wait();
  }
  void b() {
    const auto in = enter("b");
    before = true;
    signalled.signal();
  }
};
struct Second : Monitor {
  void c() { const auto in = enter("c"); }
};
First m1;
Second m2;
int main() {
  run(
      [] {
        m1.a();
        m2.c();
      },
      [] { m1.b(); },
      [] {
        m2.c();
        m1.b();
      });
}

#elif PROGRAM == 41
struct Nested : Monitor {
  void f();
  void g() { const auto in = enter("g"); }
};
ravel::counting_semaphore k{1, "k"};
void Nested::f() {
  const auto in = enter("f");
  k.acquire();
}
Nested m;
int main() {
  run([] { m.f(); }, [] { m.g(); }, [] { k.acquire(); });
}
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs of the catalogue on ports, entries and selective waits; PROGRAM is the number.
#include <ravel/sync.h>

#include <functional>
#include <thread>
#include <vector>

#ifndef N
#define N 1
#endif
#ifndef DELIVERY
#define DELIVERY queue
#endif
#ifndef PORT  // of a selective wait
#define PORT sync_port
#endif
constexpr ravel::delivery how = ravel::delivery::DELIVERY;

void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

#if PROGRAM == 1
ravel::sync_port<int> m{"m"};
int main() {
  run({[] { m.send(1); }, [] { m.send(2); }, [] { ravel::observe("difference", m.receive() - m.receive()); }});
}

#elif PROGRAM == 2
ravel::sync_mailbox<int> c1{"c1"};
ravel::sync_mailbox<int> c2{"c2"};
void sends() {
  c1.send(1), c2.send(2);
}
void receives() {
  (void)c1.receive(), (void)c2.receive();
}
int main() {
  run({sends, receives, receives, sends});
}

#elif PROGRAM == 3
ravel::PORT<int> p1{"p1"};
ravel::PORT<int> p2{"p2"};
int main() {
  run({[] { p1.send(1); }, [] { p2.send(2); },
       [] {
         ravel::selective_wait select;
         select.add(p1);
         select.add(p2);
         if (select.choose() == 1) {
           (void)p1.receive(), (void)p2.receive();
         } else {
           (void)p2.receive(), (void)p1.receive();
         }
       }});
}

#elif PROGRAM == 4  // to 8: a server, P producers and C consumers of N items each, CAP slots
ravel::entry<int, void> deposit{"deposit"};
ravel::entry<void, int> withdraw{"withdraw"};
int main() {
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < P; ++i) {
    bodies.push_back([] {
      for (int n = 0; n < N; ++n) deposit.call(n);
    });
  }
  for (int i = 0; i < C; ++i) {
    bodies.push_back([] {
      for (int n = 0; n < N; ++n) (void)withdraw.call();
    });
  }
  bodies.push_back([] {
    ravel::selective_wait select;
    select.add(deposit);
    select.add(withdraw);
    for (int full = 0, rounds = 2 * N * P; rounds > 0; --rounds) {
      deposit.guard(full < CAP);
      withdraw.guard(full > 0);
      if (select.choose() == 1) {
        (void)deposit.accept_and_reply();
        ++full;
      } else {
        withdraw.accept_and_reply(7);
        --full;
      }
    }
  });
  run(bodies);
}

#elif PROGRAM == 21  // P senders of N messages each
ravel::port<int> p{"p", how};
int main() {
  std::vector<std::function<void()>> bodies(P, [] {
    for (int n = 0; n < N; ++n) p.send(n);
  });
  bodies.push_back([] {
    for (int n = 0; n < N * P; ++n) (void)p.receive();
  });
  run(bodies);
}

#elif PROGRAM == 24
ravel::PORT<int> p1{"p1"};
ravel::PORT<int> p2{"p2"};
int main() {
  run({[] { p1.send(2), p1.send(4); },
       [] {
         ravel::selective_wait select;
         select.add(p1);
         select.add(p2);
         for (int first = 0, second = 0; first + second < 4;) {
           p2.guard(second <= first);
           if (select.choose() == 1) {
             (void)p1.receive();
             ++first;
           } else {
             (void)p2.receive();
             ++second;
           }
         }
       },
       [] { p2.send(1), p2.send(3); }});
}

#elif PROGRAM == 28
ravel::port<int> p{"p"};
int main() {
  run({[] { p.send(1); }, [] { p.send(VALUE); },
       [] {
         if (p.receive() > 0) (void)p.receive();
       }});
}

#elif PROGRAM == 29
ravel::port<int> to2{"to2"};
ravel::port<int> to4{"to4"};
int main() {
  run({[] { to2.send(1); }, [] { (void)to2.receive(), (void)to2.receive(); }, [] { to2.send(2), to4.send(3); },
       [] { (void)to4.receive(), (void)to4.receive(); }, [] { to4.send(4); }});
}

#elif PROGRAM == 23
ravel::port<int> p1{"p1", how};
ravel::port<int> p2{"p2", how};
int main() {
  run({[] { p1.send(2), p1.send(4); },
       [] { (void)p1.receive(), (void)p1.receive(), (void)p2.receive(), (void)p1.receive(); },
       [] { p1.send(1), p2.send(3); }});
}

#elif PROGRAM == 30
ravel::port<int> to2{"to2", how};
ravel::port<int> to3{"to3", how};
int main() {
  run({[] { to2.send(1), to2.send(2), to2.send(3); },
       [] {
         (void)to2.receive();
         to3.send(4);
         for (int i = 0; i < 4; ++i) (void)to2.receive();
       },
       [] { to2.send(6), (void)to3.receive(), to2.send(8); }, [] { to2.send(7); }});
}

#elif PROGRAM == 42
ravel::sync_port<int> p{"p"};
ravel::sync_port<int> q{"q"};
int main() {
  run({[] { (void)p.receive(), q.send(1); }, [] { (void)q.receive(), p.send(1); }});
}

#elif PROGRAM == 43
ravel::port<int> to_receiver{"to_receiver", how};
ravel::port<int> to_second{"to_second", how};
int main() {
  run({[] { to_receiver.send(1), to_second.send(0); }, [] { (void)to_second.receive(), to_receiver.send(2); },
       [] { (void)to_receiver.receive(), (void)to_receiver.receive(); }});
}

#elif PROGRAM == 44
ravel::counting_semaphore k{1, "k"};
ravel::entry<void, void> e{"e"};
void turn() {
  k.acquire(), k.release();
}
void client() {
  e.call(), turn();
}
int main() {
  run({client, client, [] {
         for (int i = 0; i < 2; ++i) e.accept(), turn(), e.reply();
       }});
}

#elif PROGRAM == 50  // an alternative for when nobody calls
ravel::entry<void, void> e{"e"};
int main() {
  run({[] { e.call(); },
       [] {
         ravel::selective_wait select;
         select.add(e);
         const int instead = select.add_else();
         const bool missed = select.choose() == instead;
         ravel::observe("missed", missed);
         e.accept_and_reply();
       }});
}

#elif PROGRAM == 52  // P senders of one receiver, C of another: each takes one message
ravel::sync_port<int> p{"p"};
ravel::sync_port<int> q{"q"};
int main() {
  std::vector<std::function<void()>> bodies(P, [] { p.send(1); });
  bodies.insert(bodies.end(), C, [] { q.send(2); });
  bodies.push_back([] { (void)p.receive(); });
  bodies.push_back([] { (void)q.receive(); });
  run(bodies);
}

#elif PROGRAM == 53  // a selective wait for the messages of two senders and for a call
ravel::port<int> p{"p"};
ravel::entry<void, void> e{"e"};
int main() {
  run({[] { p.send(1); }, [] { p.send(2); }, [] { e.call(); },
       [] {
         ravel::selective_wait select;
         select.add(p);
         select.add(e);
         int order = 0;
         for (int i = 0; i < 3; ++i) {
           const bool message = select.choose() == 1;
           order = 10 * order + (message ? p.receive() : 0);
           if (!message) e.accept_and_reply();
         }
         ravel::observe("order", order);
       }});
}

#elif PROGRAM == 54  // ... or for nothing; behind that, what is left
ravel::port<int> p{"p"};
ravel::port<int> q{"q"};
int main() {
  run({[] { p.send(1); },
       [] {
         ravel::selective_wait select;
         select.add(q);
         select.add(p);
#ifdef DELAY
         const int instead = select.add_delay(std::chrono::seconds(1));
#else
         const int instead = select.add_else();
#endif
         ravel::observe("missed", select.choose() == instead);
         (void)p.receive();
       }});
}

#elif PROGRAM == 51  // looking for a message
ravel::port<int> p{"p"};
int main() {
  run({[] { p.send(1); }, [] { p.send(2); }, [] { ravel::observe("found", p.try_receive().value_or(0)); }});
}
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Programs whose number of Mazurkiewicz traces is known: counted NAME [N [K]]. One event is one shared access; a failed
// compare-exchange is a read, increments do not commute, lock order counts. The numbers are in
// tests/system/exhaustive.py.
#include <ravel/ravel.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using Body = std::function<void()>;

std::atomic<int> x{0}, y{0}, z{0};
std::atomic<int> cells[64];
std::mutex locks[16];
int plain = 0;
int n = 0;
int k = 1;

int get(std::atomic<int>& a) {
  return a.load(std::memory_order_relaxed);
}
void put(std::atomic<int>& a, int value) {
  a.store(value, std::memory_order_relaxed);
}
bool swap_in(std::atomic<int>& a, int expected, int desired) {
  return a.compare_exchange_strong(expected, desired);
}

// Without a vector that grows: moving threads about is no business of the test.
void run(const std::vector<Body>& bodies, const Body& meanwhile = {}) {
  std::thread threads[24];
  for (std::size_t i = 0; i < bodies.size(); ++i) threads[i] = std::thread(bodies[i]);
  if (meanwhile) meanwhile();
  for (std::size_t i = 0; i < bodies.size(); ++i) threads[i].join();
}

std::vector<Body> times(int count, const std::function<void(int)>& body) {
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) bodies.push_back([body, i] { body(i); });
  return bodies;
}

void readers() {
  std::vector<Body> bodies = times(n, [](int) { get(x); });
  bodies.push_back([] { put(x, 1); });
  run(bodies);
}
// Before, between and behind what others see.
void choosers() {
  run(times(n, [](int) {
    const auto first = static_cast<int>(ravel::choose(2));
    put(x, first);
    if (first == 0) put(x, static_cast<int>(ravel::choose(static_cast<unsigned>(k) + 1)));
    ravel::choose(2);
  }));
}
void writers() {
  run(times(n, [](int i) { put(x, i); }));
}
void floating() {
  std::vector<Body> bodies = times(n, [](int i) { put(x, i); });
  bodies.push_back([] { get(x); });
  run(bodies);
}
void increments() {
  run(times(n, [](int) { x.fetch_add(1); }));
}
void counters() {
  run(times(n, [](int) {
    for (int c = 0; c < k; ++c) cells[c].fetch_add(1);
  }));
}
void racy_increment() {
  run(times(n, [](int) { put(x, get(x) + 1); }));
}
void plain_increment() {
  run(times(n, [](int) { plain = plain + 1; }));
}
void sections() {
  run(times(n, [](int) {
    for (int i = 0; i < k; ++i) {
      locks[0].lock();
      locks[0].unlock();
    }
  }));
}
void lock_increment() {
  run(times(n, [](int) {
    for (int i = 0; i < k; ++i) {
      const std::lock_guard<std::mutex> guard(locks[0]);
      plain = plain + 1;
    }
  }));
}
void try_beside_lock() {
  run({[] {
         locks[0].lock();
         locks[0].unlock();
       },
       [] {
         if (locks[0].try_lock()) locks[0].unlock();
       }});
}
void cas() {
  run(times(n, [](int i) { swap_in(x, 0, i + 1); }));
}
void cas_rotation() {
  run(times(n, [](int i) { swap_in(x, i, i + 1); }));
}
void store_then_cas() {
  std::vector<Body> bodies = times(n, [](int) { swap_in(x, 2, 3); });
  bodies.push_back([] { put(x, 2); });
  run(bodies);
}
void cas_and_store() {
  run(times(n, [](int i) {
    swap_in(x, 0, 1);
    put(x, i + 2);
  }));
}
void last_zero() {
  std::vector<Body> bodies = times(n, [](int i) { put(cells[i + 1], get(cells[i]) + 1); });
  bodies.push_back([] {
    int i = n;
    while (i >= 0 && get(cells[i]) != 0) --i;
  });
  run(bodies);
}
void indexer() {
  constexpr int kSize = 128;
  static std::atomic<int> table[kSize];
  run(times(n, [](int thread) {
    for (int m = 1; m <= 4; ++m) {
      const int w = m * 11 + thread;
      int h = (w * 7) % kSize;
      while (!swap_in(table[h], 0, w)) h = (h + 1) % kSize;
    }
  }));
}
void filesystem() {
  constexpr int kInodes = 32;
  constexpr int kBlocks = 26;
  static std::mutex inode_locks[kInodes];
  static std::mutex block_locks[kBlocks];
  static int inode[kInodes];
  static bool busy[kBlocks];
  run(times(n, [](int thread) {
    const int i = thread % kInodes;
    const std::lock_guard<std::mutex> guard(inode_locks[i]);
    if (inode[i] != 0) return;
    for (int b = (i * 2) % kBlocks;; b = (b + 1) % kBlocks) {
      const std::lock_guard<std::mutex> block(block_locks[b]);
      if (busy[b]) continue;
      busy[b] = true;
      inode[i] = b + 1;
      return;
    }
  }));
}
void eat(int first, int second) {
  locks[first].lock();
  locks[second].lock();
  locks[second].unlock();
  locks[first].unlock();
}
void philosophers() {
  run(times(n, [](int i) { eat(i, (i + 1) % n); }));
}
void ordered_philosophers() {
  run(times(n, [](int i) { eat(std::min(i, (i + 1) % n), std::max(i, (i + 1) % n)); }));
}
void add_up(std::atomic<int>& to, std::atomic<int>& from) {
  for (int i = 0; i < n; ++i) {
    const int own = get(to);
    put(to, own + get(from));
  }
}
void fib() {
  run({[] { add_up(x, y); }, [] { add_up(y, x); }});
}
void fib_bench() {
  run({[] { add_up(x, y); }, [] { add_up(y, x); }}, [] {
    get(x);
    get(y);
  });
}
void treiber() {
  static std::atomic<int> top{0};
  run(times(n, [](int i) {
    int seen = 0;
    do {
      seen = get(top);
      put(cells[i + 1], seen);
    } while (!top.compare_exchange_strong(seen, i + 1));
  }));
}
void two_writes() {
  run({[] { put(x, 2); }}, [] { put(x, 1); });
}
// Whether they check is no variable: it would be shared, and that changes what is tried.
template <bool kChecks>
void trap() {
  run({[] {
        if (get(x) == 1) {
          [[maybe_unused]] const int b = get(y);
          if constexpr (kChecks) assert(b == 7);
        }
      }},
      [] {
        put(x, 1);
        put(y, 7);
        put(x, 0);
      });
}
// n setters, k - 1 who check.
void reorder() {
  std::vector<Body> bodies = times(n, [](int) {
    put(x, 1);
    put(y, -1);
  });
  for (int checker = 1; checker < k; ++checker) {
    bodies.push_back([] {
      const int a = get(x);
      const int b = get(y);
      assert((a == 0 && b == 0) || (a == 1 && b == -1));
    });
  }
  run(bodies);
}
// n sellers, as many seats less k - 1.
void airline() {
  static std::atomic<bool> stop{false};
  std::thread sellers[16];
  const int capacity = n - (k - 1);
  int started = 0;
  for (; started < n; ++started) {
    if (stop.load()) {
      put(x, get(x) - 1);
      break;
    }
    sellers[started] = std::thread([capacity] {
      put(x, get(x) + 1);
      if (get(x) > capacity) stop.store(true);
    });
  }
  const bool oversold = get(x) > capacity;
  for (int i = 0; i < started; ++i) sellers[i].join();
  assert(!oversold);
}
void two_stage() {
  run({[] {
         locks[0].lock();
         put(x, 1);
         locks[0].unlock();
         locks[1].lock();
         put(y, get(x) + 1);
         locks[1].unlock();
       },
       [] {
         locks[0].lock();
         const int first = get(x);
         locks[0].unlock();
         if (first == 0) return;
         locks[1].lock();
         const int second = get(y);
         locks[1].unlock();
         if (k == 2) assert(second == first + 1);
       }});
}

// Litmus tests, under sequential consistency.
void store_buffering() {
  run({[] { put(x, 1), get(y); }, [] { put(y, 1), get(x); }});
}
void message_passing() {
  run({[] { put(x, 1), put(y, 1); }, [] { get(y), get(x); }});
}
void guarded_message() {
  run({[] { put(x, 1), put(y, 1); },
       [] {
         if (get(y) == 1) get(x);
       }});
}
void load_buffering() {
  run({[] { get(x), put(y, 1); }, [] { get(y), put(x, 1); }});
}
void load_buffering_3() {
  run({[] { get(x), put(y, 1); }, [] { get(y), put(z, 1); }, [] { get(z), put(x, 1); }});
}
void two_plus_two_writes() {
  run({[] { put(x, 1), put(y, 2); }, [] { put(y, 1), put(x, 2); }});
}
void iriw() {
  run({[] { put(x, 1); }, [] { put(y, 1); }, [] { get(x), get(y); }, [] { get(y), get(x); }});
}
void wrc() {
  run({[] { put(x, 1); }, [] { get(x), put(y, 1); }, [] { get(y), get(x); }});
}
void s_test() {
  run({[] { put(x, 2), put(y, 1); }, [] { get(y), put(x, 1); }});
}
void corr() {
  run({[] { put(x, 1), put(x, 2); }, [] { get(x), get(x); }});
}
void cowr() {
  run({[] { put(x, 1), get(x); }, [] { put(x, 2); }});
}
void corw() {
  run({[] { get(x), put(x, 1); }, [] { put(x, 2); }});
}
void corr1() {
  run({[] { put(x, 1), put(x, 2); }, [] { get(x), get(x); }, [] { get(x), get(x); }});
}
void corr2() {
  run({[] { put(x, 1); }, [] { put(x, 2); }, [] { get(x), get(x); }, [] { get(x), get(x); }});
}
void isa2() {
  run({[] { put(x, 1), put(y, 1); }, [] { get(y), put(z, 1); }, [] { get(z), get(x); }});
}
void w_rwc() {
  run({[] { put(x, 1), put(y, 1); }, [] { get(y), get(z); }, [] { put(z, 1), get(x); }});
}
void rwc() {
  run({[] { put(x, 1); }, [] { get(x), get(y); }, [] { put(y, 1), get(x); }});
}
void z6() {
  run({[] { put(x, 1), put(y, 1); }, [] { put(y, 2), put(z, 1); }, [] { get(z), get(x); }});
}
void increments_and_reads() {
  run({[] { x.fetch_add(1); }, [] { x.fetch_add(1); }, [] { get(x), get(x); }, [] { put(x, 9); },
       [] { get(x), get(x); }});
}
void iriwish() {
  run({[] { put(x, 1); }, [] { put(y, get(x)); }, [] { get(x), get(y); }, [] { get(y), get(x); }});
}
void peter_z() {
  run({[] { put(x, 1), get(y); }, [] { put(y, 1), put(z, 1); }, [] { get(z), get(x); }});
}
// Two threads only look, round and round; two store, three times each of theirs. Which variables, and how many looks:
//   0: looks x y z w x y z and x y z; stores x y x y x y and z w z w z w
//   1: looks x y z w x y z w and x y z w x y; the same stores
//   2: looks x y z x y and x y z x; both store x y z x y z
void big() {
  static std::atomic<int>* const rounds[] = {&x, &y, &z, &cells[0]};
  struct Lengths {
    int first, second, variables;
  };
  constexpr Lengths kLengths[] = {{7, 3, 4}, {8, 6, 4}, {5, 4, 3}};
  static Lengths lengths;
  lengths = kLengths[n];
  const auto look = [](int times) {
    for (int i = 0; i < times; ++i) get(*rounds[i % lengths.variables]);
  };
  const auto store = [](int from, int count) {
    for (int i = 0; i < 6; ++i) put(*rounds[from + i % count], i + 1);
  };
  const bool apart = lengths.variables == 4;
  run({[look] { look(lengths.first); }, [look] { look(lengths.second); }, [store, apart] { store(0, apart ? 2 : 3); },
       [store, apart] { store(apart ? 2 : 0, apart ? 2 : 3); }});
}
// One write, n times a read before a write.
void write_read_write() {
  std::vector<Body> bodies = times(n, [](int i) { get(x), put(x, i); });
  bodies.push_back([] { put(x, 9); });
  run(bodies);
}
void coherence_and_order() {
  std::vector<Body> bodies = times(n, [](int i) { put(y, i + 1), put(z, i + 1); });
  bodies.push_back([] { put(x, 1), get(y), get(x); });
  bodies.push_back([] { put(x, 2), get(z), get(x); });
  run(bodies);
}
void release_sequence() {
  const auto twice = [] { x.fetch_add(1), x.fetch_add(1); };
  const auto once = [] { x.fetch_add(1); };
  run({twice, twice, once, once});
}
void sieve() {
  for (int i = 0; i < n; ++i) {
    if (get(cells[i]) != 0) continue;
    put(cells[i], 1);
    for (int j = 2 * i + 2; j < n; j += i + 2) put(cells[j], 2);
  }
}
void eratosthenes() {
  run({sieve, sieve});
}
void store_buffering_sc() {
  run({[] { x.store(1), y.load(); }, [] { y.store(1), x.load(); }});
}
void store_buffering_fences() {
  const auto fence = [] { std::atomic_thread_fence(std::memory_order_seq_cst); };
  run({[fence] { put(x, 1), fence(), get(y); }, [fence] { put(y, 1), fence(), get(x); }});
}
void two_plus_two_writes_sc() {
  run({[] { x.store(1), y.store(2); }, [] { y.store(1), x.store(2); }});
}
// The trap with its threads the other way round: whoever comes first looks.
template <bool kChecks>
void other_trap() {
  run({[] {
         if (get(x) == 1) {
           [[maybe_unused]] const int b = get(y);
           if constexpr (kChecks) assert(b == 7);
         }
       },
       [] {
         put(x, 1);
         put(y, 7);
         put(x, 0);
       }});
}
// What is seen, for the list of outcomes.
void observed_store_buffering() {
  static int first, second;
  run({[] { put(x, 1), first = get(y); }, [] { put(y, 1), second = get(x); }});
  ravel::observe("y", first);
  ravel::observe("x", second);
}
void observed_message() {
  static int flag, data;
  run({[] {
         if (k == 2) put(y, 1), put(x, 1);
         if (k != 2) put(x, 1), put(y, 1);
       },
       [] { flag = get(y), data = get(x); }});
  ravel::observe("flag", flag);
  ravel::observe("data", data);
}
void apart() {
  run(times(n, [](int i) { put(cells[i], 1); }));
}
void only_readers() {
  run(times(n, [](int) { get(x); }));
}

// No container: it would be filled anew in every execution.
struct Row {
  const char* name;
  void (*body)();
};
constexpr Row kPrograms[] = {
    {"readers", readers},
    {"writers", writers},
    {"choosers", choosers},
    {"floating", floating},
    {"increments", increments},
    {"counters", counters},
    {"racy", racy_increment},
    {"plain", plain_increment},
    {"sections", sections},
    {"lockinc", lock_increment},
    {"trylock", try_beside_lock},
    {"cas", cas},
    {"casrot", cas_rotation},
    {"wcas", store_then_cas},
    {"casw", cas_and_store},
    {"lastzero", last_zero},
    {"indexer", indexer},
    {"filesystem", filesystem},
    {"philosophers", philosophers},
    {"ordered", ordered_philosophers},
    {"fib", fib},
    {"fibbench", fib_bench},
    {"treiber", treiber},
    {"twowrites", two_writes},
    {"trap", trap<false>},
    {"failingtrap", trap<true>},
    {"reorder", reorder},
    {"airline", airline},
    {"twostage", two_stage},
    {"SB", store_buffering},
    {"MP", message_passing},
    {"MPif", guarded_message},
    {"LB", load_buffering},
    {"LB3", load_buffering_3},
    {"2+2W", two_plus_two_writes},
    {"IRIW", iriw},
    {"WRC", wrc},
    {"S", s_test},
    {"CoRR", corr},
    {"CoWR", cowr},
    {"CoRW", corw},
    {"CoRR1", corr1},
    {"CoRR2", corr2},
    {"ISA2", isa2},
    {"W+RWC", w_rwc},
    {"RWC", rwc},
    {"Z6", z6},
    {"inc+inc+RR+W+RR", increments_and_reads},
    {"IRIWish", iriwish},
    {"peterZ", peter_z},
    {"big", big},
    {"wrw", write_read_write},
    {"CoA", coherence_and_order},
    {"relseq", release_sequence},
    {"eratosthenes", eratosthenes},
    {"SBsc", store_buffering_sc},
    {"SBfences", store_buffering_fences},
    {"2+2Wsc", two_plus_two_writes_sc},
    {"othertrap", other_trap<false>},
    {"failingothertrap", other_trap<true>},
    {"observedSB", observed_store_buffering},
    {"observedMP", observed_message},
    {"apart", apart},
    {"onlyreaders", only_readers},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) n = std::atoi(argv[2]);
  if (argc > 3) k = std::atoi(argv[3]);
  for (const Row& program : kPrograms) {
    if (argc < 2 || std::strcmp(program.name, argv[1]) != 0) continue;
    // As at first: so that main can be run again in the same process.
    for (std::atomic<int>* cell : {&x, &y, &z}) put(*cell, 0);
    for (std::atomic<int>& cell : cells) put(cell, 0);
    plain = 0;
    program.body();
    return 0;
  }
  std::fprintf(stderr, "counted NAME [N [K]]\n");
  return 2;
}

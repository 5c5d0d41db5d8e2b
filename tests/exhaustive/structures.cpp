// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks, queues and stacks without locks whose number of complete executions is known: structures NAME [N]. Whoever
// would have to wait gives up, which is observed: the executions in which nobody did are counted. The numbers are in
// tests/system/exhaustive.py.
#include <ravel/ravel.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace {

using Body = std::function<bool()>;  // whether it came to its end

constexpr int kMostThreads = 3;
int n = 0;
int plain = 0;
std::atomic<int> cells[64];
int gave_up[kMostThreads];

// Without a vector that grows: moving threads about is no business of the test.
void run(const std::vector<Body>& bodies) {
  std::thread threads[kMostThreads];
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    threads[i] = std::thread([&body = bodies[i], i] { gave_up[i] = body() ? 0 : 1; });
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) threads[i].join();
  int all = 0;
  for (const int one : gave_up) all += one;
  ravel::observe("gave up", all);
}

std::vector<Body> times(int count, const std::function<bool(int)>& body) {
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) bodies.push_back([body, i] { return body(i); });
  return bodies;
}

// Peterson's lock, n rounds each.
void peterson() {
  std::atomic<int>* const flags = cells;
  std::atomic<int>& turn = cells[2];
  std::atomic<int>& inside = cells[3];
  run(times(2, [flags, &turn, &inside](int i) {
    for (int round = 0; round < n; ++round) {
      flags[i].store(1);
      turn.store(1 - i);
      if (flags[1 - i].load() == 1 && turn.load() == 1 - i) return false;
      inside.store(i);
      inside.load();
      flags[i].store(0);
    }
    return true;
  }));
}

// A lock for readers and a writer in one word: a reader takes one, a writer everything. Each reads, then writes.
void reader_writer_word() {
  constexpr int kFree = 1 << 20;
  static std::atomic<int> word{kFree};
  const auto enter = [](int share, auto enough) {
    if (enough(word.fetch_sub(share))) return true;
    word.fetch_add(share);
    word.load();
    return false;
  };
  run(times(2, [enter](int i) {
    if (!enter(1, [](int before) { return before > 0; })) return false;
    [[maybe_unused]] const volatile int seen = plain;
    word.fetch_add(1);
    if (!enter(kFree, [](int before) { return before == kFree; })) return false;
    plain = i;
    word.fetch_add(kFree);
    return true;
  }));
}

// The queue lock of Mellor-Crummey and Scott, one critical section each.
void queue_lock() {
  struct Waiter {
    std::atomic<Waiter*> next{nullptr};
    std::atomic<bool> woken{false};
  };
  static Waiter waiters[2];
  static std::atomic<Waiter*> last{nullptr};
  run(times(2, [](int i) {
    Waiter& own = waiters[i];
    own.next.store(nullptr);
    own.woken.store(false);
    if (Waiter* before = last.exchange(&own)) {
      before->next.store(&own);
      if (!own.woken.load()) return false;
    }
    plain = i;
    Waiter* next = own.next.load();
    Waiter* expected = &own;
    if (next == nullptr && !last.compare_exchange_strong(expected, nullptr)) {
      next = own.next.load();
      if (next == nullptr) return false;
    }
    if (next != nullptr) next->woken.store(true);
    return true;
  }));
}

// A work-stealing deque of fixed size: the owner pushes and pops at the bottom, thieves take from the top.
struct Deque {
  static constexpr long kSize = 10;
  std::atomic<long> bottom{0};
  std::atomic<long> top{0};
  std::atomic<long> slots[kSize] = {};

  bool push(long value) {
    const long b = bottom.load();
    const long t = top.load();
    if (b - t >= kSize) return false;
    slots[b % kSize].store(value);
    bottom.store(b + 1);
    return true;
  }
  void pop() {
    const long b = bottom.load();
    bottom.store(b - 1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    long t = top.load();
    if (b - t <= 0) {
      bottom.store(b);
      return;
    }
    slots[(b - 1) % kSize].load();
    if (b - t > 1) return;
    top.compare_exchange_strong(t, t + 1);
    bottom.store(b);
  }
  void steal() {
    long t = top.load();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const long b = bottom.load();
    if (b - t <= 0) return;
    slots[t % kSize].load();
    top.compare_exchange_strong(t, t + 1);
  }
  bool owner(int before, int pops, int after) {
    long next = 1;
    for (int i = 0; i < before; ++i) next += push(next) ? 1 : 0;
    for (int i = 0; i < pops; ++i) pop();
    for (int i = 0; i < after; ++i) next += push(next) ? 1 : 0;
    return true;
  }
  bool thief(int steals) {
    for (int i = 0; i < steals; ++i) steal();
    return true;
  }
};
// The owner pushes five, pops three, pushes two; one thief takes one.
void chase_lev() {
  static Deque deque;
  run({[] { return deque.owner(5, 3, 2); }, [] { return deque.thief(1); }});
}
// The owner pushes two, pops one, pushes one; one thief takes two, another one.
void deque_and_thieves() {
  static Deque deque;
  run({[] { return deque.owner(2, 1, 1); }, [] { return deque.thief(2); }, [] { return deque.thief(1); }});
}

struct Node {
  std::atomic<int> data{0};
  std::atomic<Node*> next{nullptr};
};

// A linked queue with a first node that holds nothing, made by the first thread, which then puts one in; a second puts
// one in and a third takes one out, if they find it made. Each tries once.
struct Queue {
  Node first;
  std::atomic<Node*> head{nullptr};
  std::atomic<Node*> tail{nullptr};
  std::atomic<bool> made{false};

  void make() {
    first.next.store(nullptr);
    head.store(&first);
    tail.store(&first);
    made.store(true);
  }
  Node* last() {
    Node* const node = tail.load();
    Node* const next = node->next.load();
    if (next == nullptr) return node;
    tail.store(next);
    return nullptr;
  }
  void put(Node& node, int value) {
    node.data.store(value);
    node.next.store(nullptr);
    Node* end = nullptr;
    do end = last();
    while (end == nullptr);
    Node* none = nullptr;
    if (end->next.compare_exchange_strong(none, &node)) tail.store(&node);
  }
  void take() {
    Node* begin = head.load();
    Node* const node = begin->next.load();
    if (node != nullptr && head.compare_exchange_strong(begin, node)) node->data.load();
  }
};
void try_queue() {
  static Queue queue;
  static Node nodes[2];
  run({[] {
         queue.make();
         queue.put(nodes[0], 1);
         return true;
       },
       [] {
         if (queue.made.load()) queue.put(nodes[1], 1);
         return true;
       },
       [] {
         if (queue.made.load()) queue.take();
         return true;
       }});
}

// A linked stack, each operation tried once: one thread pushes two and pops one, the other pops one and pushes one.
void try_stack() {
  static std::atomic<Node*> head{nullptr};
  static Node nodes[3];
  const auto push = [](Node& node, int value) {
    node.data.store(value);
    Node* seen = head.load();
    node.next.store(seen);
    head.compare_exchange_strong(seen, &node);
  };
  const auto pop = [] {
    Node* seen = head.load();
    if (seen == nullptr) return;
    seen->data.load();
    Node* const next = seen->next.load();
    head.compare_exchange_strong(seen, next);
  };
  run({[push, pop] {
         push(nodes[0], 1);
         push(nodes[1], 2);
         pop();
         return true;
       },
       [push, pop] {
         pop();
         push(nodes[2], 1);
         return true;
       }});
}

// A linked stack: two threads say what they push and push it, trying until it succeeds; a third pops one and looks at
// what was said. Popping when overtaken has changed nothing, so it waits.
void stack() {
  struct Plain {
    int value = 0;
    std::atomic<int> next{0};
  };
  static std::atomic<int> top{0};
  static Plain nodes[3];
  const auto push = [](int i) {
    cells[i].store(i);
    nodes[i].value = i;
    int seen = 0;
    do {
      seen = top.load();
      nodes[i].next.store(seen);
    } while (!top.compare_exchange_strong(seen, i));
    return true;
  };
  run({[push] { return push(1); }, [push] { return push(2); },
       [] {
         int seen = top.load();
         if (seen == 0) return true;
         const Plain& node = nodes[seen];
         const int next = node.next.load();
         if (!top.compare_exchange_strong(seen, next)) return false;
         cells[node.value].load();
         return true;
       }});
}

// The ring of buffers of an operating system: a place is reserved at the head, and the tail follows in the same order.
// Each of three threads puts one in and takes one out.
void ring() {
  constexpr unsigned kSize = 8;
  static std::atomic<unsigned> put_head{0}, put_tail{0}, take_head{0}, take_tail{0};
  static std::atomic<int*> slots[kSize];
  static int messages[3];
  const auto put = [](int* message) {
    unsigned head = put_head.load();
    const unsigned tail = take_tail.load();
    const unsigned next = (head + 1) % kSize;
    if (next == tail) return true;
    const unsigned place = head;
    if (!put_head.compare_exchange_strong(head, next)) return false;
    slots[place].store(message);
    if (put_tail.load() != place) return false;
    put_tail.store(next);
    return true;
  };
  const auto take = [] {
    unsigned head = take_head.load();
    const unsigned tail = put_tail.load();
    const unsigned next = (head + 1) % kSize;
    if (head == tail) return true;
    const unsigned place = head;
    if (!take_head.compare_exchange_strong(head, next)) return false;
    const int* const message = slots[place].load();
    if (take_tail.load() != place) return false;
    take_tail.store(next);
    [[maybe_unused]] const volatile int seen = *message;
    return true;
  };
  run(times(3, [put, take](int i) {
    messages[i] = 1;
    return put(&messages[i]) && take();
  }));
}

// A bounded queue for many: reads and writes that have begun share a word, those that have ended are counted apart. It
// holds one element; one thread puts one in, another takes until it is empty. Whoever is overtaken waits.
void bounded_queue() {
  static std::atomic<unsigned> begun{0}, read{0}, written{0};
  static std::atomic<int> slots[4];
  const auto low = [](unsigned word) { return word & 0xffff; };
  const auto put = [low] {
    unsigned now = begun.load();
    const unsigned taken = now >> 16;
    if (!begun.compare_exchange_strong(now, taken << 16 | low(now + 1))) return false;
    if (low(read.load()) != taken) return false;
    slots[low(now) % 4].store(1);
    written.fetch_add(1);
    return true;
  };
  const auto take = [low] {
    for (;;) {
      unsigned now = begun.load();
      if (low(now) == now >> 16) return true;
      if (!begun.compare_exchange_strong(now, now + (1 << 16))) return false;
      if (low(written.load()) != low(now)) return false;
      read.fetch_add(1);
    }
  };
  put();
  run({put, take});
}

struct Row {
  const char* name;
  void (*body)();
};
constexpr Row kPrograms[] = {
    {"peterson", peterson},
    {"rwword", reader_writer_word},
    {"mcs", queue_lock},
    {"chase-lev", chase_lev},
    {"dq", deque_and_thieves},
    {"qu", try_queue},
    {"stc", try_stack},
    {"treiber", stack},
    {"ring", ring},
    {"mpmc", bounded_queue},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) n = std::atoi(argv[2]);
  for (const Row& program : kPrograms) {
    if (argc < 2 || std::strcmp(program.name, argv[1]) != 0) continue;
    program.body();
    return 0;
  }
  std::fprintf(stderr, "structures NAME [N]\n");
  return 2;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads race on members of heap objects, one kind at a time (by argument); and on one of two local variables that
// may share a stack slot.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Cache {
 public:
  [[gnu::noinline]] void hit() { ++hits_; }
  // Not its own memory, although it has as many bytes.
  [[gnu::noinline]] void touch(std::vector<long>& buffer) { ++buffer[6]; }

 private:
  std::mutex mutex_;
  long misses_ = 0;
  long hits_ = 0;
};
static_assert(sizeof(Cache) == 56);

[[gnu::noinline]] std::unique_ptr<Cache> make() {
  return std::make_unique<Cache>();
}

struct Record {
  char key[24];
  int uses;
};

[[gnu::noinline]] void use(Record* record) {
  ++record->uses;
}

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

// Both variables are as large, and their scopes do not overlap.
[[gnu::noinline]] void scopes() {
  {
    long earlier = 1;
    std::thread([&] { earlier = 2; }).join();
    if (earlier == 3) std::abort();
  }
  {
    long later = 1;
    both([&] { later = 2; }, [&] { later = 3; });
    if (later == 4) std::abort();
  }
}

// The block that its threads share has as many bytes as the object itself, whose function is further out.
class Runner {
 public:
  [[gnu::noinline]] void run() {
    long* cells = static_cast<long*>(std::calloc(1, sizeof(Runner)));
    std::thread other([=] { ++cells[5]; });
    cells[5] += ++runs_;
    other.join();
    std::free(cells);
  }

 private:
  char name_[40] = "runner";
  long runs_ = 0;
};

int main(int, char** arguments) {
  const std::string what = arguments[1];
  Cache apart;
  if (what == "new") {
    Cache* cache = new Cache;
    both([=] { cache->hit(); }, [=] { cache->hit(); });
    delete cache;
  }
  if (what == "around") {
    Runner runner;
    runner.run();
  }
  if (what == "unique") {
    const auto cache = std::make_unique<Cache>();
    both([&] { cache->hit(); }, [&] { cache->hit(); });
  }
  if (what == "shared") {
    const auto cache = std::make_shared<Cache>();
    both([=] { cache->hit(); }, [=] { cache->hit(); });
  }
  if (what == "second") {
    std::vector<std::unique_ptr<Cache>> caches;
    for (int i = 0; i < 3; ++i) caches.push_back(make());
    for (const auto& cache : caches) std::thread([&] { cache->hit(); }).join();
    both([&] { caches[1]->hit(); }, [&] { caches[1]->hit(); });
  }
  if (what == "pointer") {
    auto* record = static_cast<Record*>(std::calloc(1, sizeof(Record)));
    both([=] { use(record); }, [=] { use(record); });
    std::free(record);
  }
  if (what == "buffer") {  // as large as a Cache, but none
    std::vector<long> buffer(sizeof(Cache) / sizeof(long));
    both([&] { apart.touch(buffer); }, [&] { apart.touch(buffer); });
  }
  if (what == "scopes") scopes();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two stages: each table is guarded, but an update of both is not one step, and a reader may come in between.
//
// expect: kind=assertion threads=T1,T2 lines=check preemptions=1
// operations: lock,unlock
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Catalogue {
  std::mutex stock_mutex;
  int revision = 1;
  std::mutex price_mutex;
  int price_revision = 2;  // always one ahead of `revision`
#ifdef FIXED
  std::mutex both;
#endif
};

void update(Catalogue& catalogue) {
#ifdef FIXED
  std::lock_guard<std::mutex> whole(catalogue.both);
#endif
  int revision = 0;
  {
    std::lock_guard<std::mutex> guard(catalogue.stock_mutex);
    revision = ++catalogue.revision;
  }
  std::lock_guard<std::mutex> guard(catalogue.price_mutex);
  catalogue.price_revision = revision + 1;
}

void audit(Catalogue& catalogue) {
#ifdef FIXED
  std::lock_guard<std::mutex> whole(catalogue.both);
#endif
  int revision = 0;
  int price_revision = 0;
  {
    std::lock_guard<std::mutex> guard(catalogue.stock_mutex);
    revision = catalogue.revision;
  }
  {
    std::lock_guard<std::mutex> guard(catalogue.price_mutex);
    price_revision = catalogue.price_revision;
  }
  assert(price_revision == revision + 1);  // here: check
}

}  // namespace

int main() {
  Catalogue catalogue;
  std::thread importer([&catalogue] { update(catalogue); });
  std::thread auditor([&catalogue] { audit(catalogue); });
  importer.join();
  auditor.join();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Counted by hand: the count is let go before the lock, so the last one out deletes a mutex that somebody still
// unlocks.
//
// expect: kind=use-after-free threads=T1|T2 lines=freed,unlocks preemptions=1 also=data-race
#include <atomic>
#include <mutex>
#include <thread>

namespace {

struct Session {
  std::mutex mutex;
  std::atomic<int> users{2};
  int served = 0;
};

void serve(Session* session) {
  session->mutex.lock();
  ++session->served;
#ifdef FIXED
  session->mutex.unlock();
  if (session->users.fetch_sub(1) == 1) delete session;
#else
  const bool last = session->users.fetch_sub(1) == 1;
  session->mutex.unlock();  // here: unlocks
  if (last) {
    delete session;  // here: freed
    return;
  }
  session->mutex.lock();  // a last look
  session->mutex.unlock();
#endif
}

}  // namespace

int main() {
  auto* session = new Session;
  std::thread first(serve, session);
  std::thread second(serve, session);
  first.join();
  second.join();
}

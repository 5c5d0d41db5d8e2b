// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// libuv: work on its thread pool, its result taken in the loop's thread, and a wake-up from another thread. BROKEN lets
// the work and the loop share a counter. The race itself is doubtful (libuv is not instrumented and has atomics of its
// own); the update that is lost is not.
//
// expect: clean
// broken: kind=assertion also=data-race
// libraries: -luv
#include <uv.h>

#include <cassert>
#include <thread>

namespace {

int finished = 0;
int results[2];
int shared = 0;
uv_async_t wake;

void work(uv_work_t* request) {
  *static_cast<int*>(request->data) = 7;
#ifdef BROKEN
  ++shared;
#endif
}

void after(uv_work_t* request, int status) {
  assert(status == 0 && *static_cast<int*>(request->data) == 7);
  ++shared;
  ++finished;
}

}  // namespace

int main() {
  uv_loop_t loop;
  uv_loop_init(&loop);
  uv_async_init(&loop, &wake, [](uv_async_t* handle) { uv_close(reinterpret_cast<uv_handle_t*>(handle), nullptr); });
  uv_work_t requests[2];
  for (int i = 0; i < 2; ++i) {
    requests[i].data = &results[i];
    uv_queue_work(&loop, &requests[i], work, after);
  }
  std::thread other([] { uv_async_send(&wake); });
  uv_run(&loop, UV_RUN_DEFAULT);
  other.join();
  uv_loop_close(&loop);
  assert(finished == 2);
#ifdef BROKEN
  assert(shared == 4);
#endif
  return 0;
}

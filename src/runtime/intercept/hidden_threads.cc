// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions for which the C library makes threads of its own, and descriptors that follow real time. They work, in real
// time, and are named in the output. A notification that would run the program's code on such a thread is refused: two
// OS threads in the program at once is what a schedule cannot describe.
#include <aio.h>
#include <errno.h>
#include <mqueue.h>
#include <netdb.h>
#include <signal.h>
#include <sys/timerfd.h>

#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/channel.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

// False: refuse it.
bool allow(const sigevent* event) {
  if (!g.in_control) return true;
  note(kNoteHiddenThreads);
  return event == nullptr || event->sigev_notify != SIGEV_THREAD;
}

int refuse() {
  errno = ENOTSUP;
  return -1;
}

}  // namespace

RAVEL_EXPORT int aio_read(aiocb* request) noexcept {
  return allow(&request->aio_sigevent) ? real().aio_read(request) : refuse();
}

RAVEL_EXPORT int aio_write(aiocb* request) noexcept {
  return allow(&request->aio_sigevent) ? real().aio_write(request) : refuse();
}

RAVEL_EXPORT int aio_fsync(int operation, aiocb* request) noexcept {
  return allow(&request->aio_sigevent) ? real().aio_fsync(operation, request) : refuse();
}

RAVEL_EXPORT int lio_listio(int mode, aiocb* const* list, int count, sigevent* event) noexcept {
  bool allowed = allow(event);
  for (int i = 0; i < count; ++i) allowed = (list[i] == nullptr || allow(&list[i]->aio_sigevent)) && allowed;
  return allowed ? real().lio_listio(mode, list, count, event) : refuse();
}

RAVEL_EXPORT int getaddrinfo_a(int mode, gaicb** list, int count, sigevent* event) {
  return allow(event) ? real().getaddrinfo_a(mode, list, count, event) : EAI_SYSTEM;
}

RAVEL_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  return allow(event) ? real().mq_notify(queue, event) : refuse();
}

RAVEL_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (g.in_control) {
    note(kNoteRealTime);
    note_outside();
  }
  return real().timerfd_create(clock, flags);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Children of fork. Only the thread that forked goes on in the child: a mutex that another one held is locked there for
// ever. Whoever locks it is found out in the child and reported by the parent, when it has waited for the child; one
// that execs or ends without it is fine.
#pragma once

#include <pthread.h>

#include "model/event.h"

namespace ravel::rt {

// The scheduling point of a fork, and what the child needs to report.
void begin_fork(LocationId location);
// In the child, as long as it has one thread.
void enter_child();
void note_thread_of_child();
// pthread_mutex_lock in a process that is not controlled.
int lock_outside(pthread_mutex_t* m, LocationId location);

// In the parent, behind a wait for children. A finding if one of them cannot go on.
void look_at_children();

}  // namespace ravel::rt

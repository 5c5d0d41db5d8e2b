// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores under one name: those of POSIX; with CONSTRUCTS of ravel/semaphore.h, with WHOLE of the standard library.
// A Binary is never released twice in a row by programs that use it here; the release of an Alternating waits at 1.
#pragma once

#if defined CONSTRUCTS
#include <ravel/semaphore.h>
using Counting = ravel::counting_semaphore;
using Binary = ravel::binary_semaphore;
using Alternating = Binary;

#elif defined WHOLE
#include <semaphore>
struct Counting {
  Counting(int value, const char*) : permits(value) {}
  void acquire() { permits.acquire(); }
  void release() { permits.release(); }
  std::counting_semaphore<16> permits;
};
using Binary = Counting;

#else
#include <semaphore.h>
struct Counting {
  Counting(int value, const char*) { sem_init(&permits, 0, static_cast<unsigned>(value)); }
  void acquire() { sem_wait(&permits); }
  void release() { sem_post(&permits); }
  sem_t permits;
};
using Binary = Counting;
#endif

#ifndef CONSTRUCTS
// Permits, and room for them.
struct Alternating {
  Alternating(int value, const char* name) : permits(value, name), room(1 - value, name) {}
  void acquire() {
    permits.acquire();
    room.release();
  }
  void release() {
    room.acquire();
    permits.release();
  }
  Counting permits;
  Counting room;
};
#endif

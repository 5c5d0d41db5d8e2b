// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rw_exception R W N: R readers and W writers go N times through a monitor that prefers writers. The number of active
// readers is raised behind the monitor: a writer comes in while somebody reads, and notices.
#include <atomic>
#include <cassert>

#include "readers_writers.h"

namespace {

ReadersWriters<std::atomic<int>> access;
std::atomic<int> reading{0};

void read_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_read();
    ++reading;
    --reading;
    access.after_read();
  }
}

void write_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_write();
    assert(reading == 0);
    access.after_write();
  }
}

}  // namespace

int main(int argc, char** argv) {
  run_readers_and_writers(argc, argv, read_often, write_often);
}

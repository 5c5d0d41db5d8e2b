// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rw_deadlock R W N: R readers and W writers go N times through a monitor that prefers writers. The number of active
// readers is raised behind the monitor: an update is lost, the number never returns to zero, and writers wait for ever.
#include "readers_writers.h"

namespace {

ReadersWriters<int> access;

void read_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_read();
    access.after_read();
  }
}

void write_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_write();
    access.after_write();
  }
}

}  // namespace

int main(int argc, char** argv) {
  run_readers_and_writers(argc, argv, read_often, write_often);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// animator COMMANDS: a parser appends commands to a list that the renderer goes through without a lock: it draws a
// frame of a size that is no longer true.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kMost = 16;
#ifdef FIXED
#define SYNCHRONISED const std::lock_guard hold(lock)
std::mutex lock;
#else
#define SYNCHRONISED (void)0
#endif

int shapes[kMost];
int count = 0;
int size = 0;
int drawn = 0;

[[gnu::noinline]] void add_shape() {
  SYNCHRONISED;
  count = count + 1;
  shapes[count - 1] = 1;  // here: first
}

void parse(int commands) {
  for (int i = 0; i < commands; ++i) add_shape();
}

void render() {
  SYNCHRONISED;
  size = count;
  for (int i = 0; i < size; ++i) {
    if (shapes[i] == 1) ++drawn;  // here: second
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int commands = argc > 1 ? std::atoi(argv[1]) : 2;
  std::thread parser(parse, commands < kMost ? commands : kMost);
  std::thread renderer(render);
  parser.join();
  renderer.join();
  assert(drawn == size);
}

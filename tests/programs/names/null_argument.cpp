// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// memcpy() through a pointer that nobody has set yet. Another null pointer is read later, and that one is fine: it must
// not be called the cause.
#include <cstring>
#include <mutex>
#include <thread>

char* next_target = nullptr;  // not in a namespace without a name: others could set it

namespace {

std::mutex mutex;
char* target = nullptr;
char buffer[64];
char words[] = "a text that is longer than a few registers";

[[gnu::noinline]] void fill(const char* text) {
  char* to = nullptr;
  {
    const std::lock_guard guard(mutex);
    to = target;
  }
  {
    const std::lock_guard guard(mutex);
    if (next_target != nullptr) return;
  }
  std::memcpy(to, text, std::strlen(text) + 1);  // here: copy
}

}  // namespace

int main() {
  std::thread sets([] {
    const std::lock_guard guard(mutex);
    target = buffer;
  });
  std::thread fills([] { fill(words); });
  sets.join();
  fills.join();
}

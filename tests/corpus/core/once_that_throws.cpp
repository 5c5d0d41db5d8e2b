// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Once that throws: a failed initialiser leaves nothing behind, but the caller swallows the error and goes on.
//
// expect: kind=signal threads=T2|T3 lines=use preemptions=0
// operations: create,join,load,store
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

struct Settings {
  int timeout = 30;
};

std::mutex file_mutex;
std::condition_variable file_written;
bool file_present = false;
std::once_flag loaded;
std::atomic<Settings*> settings{nullptr};
Settings storage;

void write_file() {
  std::lock_guard<std::mutex> guard(file_mutex);
  file_present = true;
  file_written.notify_all();
}

void load() {
  std::lock_guard<std::mutex> guard(file_mutex);
  if (!file_present) {
    throw std::runtime_error("no settings file");
  }
  settings.store(&storage);
}

int read_timeout() {
  try {
    std::call_once(loaded, load);
  } catch (const std::runtime_error&) {
#ifdef FIXED
    {
      std::unique_lock<std::mutex> lock(file_mutex);
      file_written.wait(lock, [] { return file_present; });
    }
    std::call_once(loaded, load);
#endif
  }
  return settings.load()->timeout;  // here: use
}

}  // namespace

int main() {
  std::thread installer(write_file);
  std::thread client([] { assert(read_timeout() == 30); });
  std::thread server([] { assert(read_timeout() == 30); });
  installer.join();
  client.join();
  server.join();
  return 0;
}

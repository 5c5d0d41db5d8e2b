// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// port_delete: a port is entered into the list of its client and filled in behind the lock, as a kernel's sequencer
// did; a thread that deletes ports finds it in the list and frees it first.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Port {
  Port* next = nullptr;
  int number = 0;
  int users = 0;
  char name[16] = {};
};

std::mutex lock;
Port* ports = nullptr;
int last_number = 0;

void put(Port* port) {
  {
    const std::lock_guard hold(lock);
    if (--port->users > 0) return;
  }
  delete port;
}

Port* create() {
  Port* port = new Port;
  const std::lock_guard hold(lock);
  port->number = ++last_number;
  port->users = 1;
#ifdef FIXED
  ++port->users;  // the caller's
#endif
  port->next = ports;
  ports = port;
  return port;
}

void create_port() {
  Port* port = create();
#ifdef FIXED
  {
    const std::lock_guard hold(lock);
    port->name[0] = 'p';
  }
  put(port);
#else
  port->name[0] = 'p';
#endif
}

void delete_port() {
  Port* found = nullptr;
  {
    const std::lock_guard hold(lock);
    found = ports;
    if (found != nullptr) ports = found->next;
  }
  if (found != nullptr) put(found);
}

}  // namespace

int main() {
  std::thread one(create_port);
  std::thread other(delete_port);
  one.join();
  other.join();
  delete_port();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// An object made by one thread and handed to the other through a global.
// expect: RW 2 or more
#include <atomic>
#include <memory>
#include <thread>
struct Message {
  int text = 0;
};
std::atomic<Message*> box{nullptr};
int main() {
  std::thread t1([] {
    Message* message = new Message;
    box.store(message);
    message->text = 1;
  });
  std::thread t2([] {
    Message* message = box.load();
    if (message != nullptr) message->text += 1;
  });
  t1.join();
  t2.join();
  std::unique_ptr<Message> last(box.load());
}

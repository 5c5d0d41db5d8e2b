// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// string_buffer: append() asks another buffer for its length and then for its text, each under that buffer's lock;
// between the two it may have become shorter.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) : length_(static_cast<int>(std::strlen(text))) {
    std::memcpy(text_, text, static_cast<std::size_t>(length_));
  }
  int length() {
    std::lock_guard hold(lock_);
    return length_;
  }
  void copy(int begin, int end, char* to) {
    std::lock_guard hold(lock_);
    copy_locked(begin, end, to);
  }
  void erase(int begin, int end) {
    std::lock_guard hold(lock_);
    if (end > length_) end = length_;
    const int gone = end - begin;
    std::memmove(text_ + begin, text_ + end, static_cast<std::size_t>(length_ - end));
    length_ -= gone;
  }
  void append(StringBuffer& other) {
#ifdef FIXED
    std::scoped_lock both(lock_, other.lock_);
    const int more = other.length_;
    other.copy_locked(0, more, text_ + length_);
#else
    std::lock_guard hold(lock_);
    const int more = other.length();
    other.copy(0, more, text_ + length_);
#endif
    length_ += more;
  }

 private:
  void copy_locked(int begin, int end, char* to) {
    assert(begin >= 0 && end <= length_);
    std::memcpy(to, text_ + begin, static_cast<std::size_t>(end - begin));
  }

  std::mutex lock_;
  char text_[64] = {};
  int length_;
};

}  // namespace

int main() {
  StringBuffer words("abc");
  StringBuffer more("abcdef");
  std::thread shortens([&] { more.erase(0, 3); });
  words.append(more);
  shortens.join();
}

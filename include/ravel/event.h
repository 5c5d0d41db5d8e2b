// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Labels of a sequence.
//   ravel::event("deposited");          // `main.1 mark deposited' in a file; orders nothing by itself
//   ravel::critical_section inside;     // its lifetime; two threads inside at once: a failed check
//   inside.progress();                  // the thread gets somewhere: ravel::progress()
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>

#include "ravel/record.h"

namespace ravel {

inline void event(const char* label) {
  if (detail::is_recording()) {
    detail::recorded_object& row = detail::recorder::get().label(label);
    const std::lock_guard lock(row.mutex);
    detail::note(row, detail::this_thread(), "mark");
    return;
  }
  mark(label);
}

// Sections of one name exclude each other. It excludes nobody itself: it says whether the program does. Searches see
// its counter, which orders nothing.
class critical_section {
 public:
  explicit critical_section(const char* name = "critical section", const char* file = __builtin_FILE(),
                            unsigned line = __builtin_LINE())
      : name_(name), inside_(row_of(name).inside) {
    const bool alone = inside_.fetch_add(1, std::memory_order_relaxed) == 0;
    if (!alone) check(false, (std::string("two threads are in ") + name_).c_str(), file, line);
    event(name_);
  }
  ~critical_section() {
    event((std::string(name_) + " left").c_str());
    inside_.fetch_sub(1, std::memory_order_relaxed);
  }
  critical_section(const critical_section&) = delete;
  critical_section& operator=(const critical_section&) = delete;

  void progress() { ravel::progress(); }

 private:
  static constexpr std::uint32_t kMost = 64;
  struct row {
    std::uint64_t name = 0;  // hash
    std::atomic<int> inside{0};
  };

  // Which row a name has is no part of what the program does: nobody may see these accesses.
  __attribute__((no_sanitize("thread"), noinline)) static row& row_of(const char* name) {
    static row rows[kMost];
    std::uint64_t hash = 1469598103934665603ull;
    for (const char* c = name; *c != 0; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211ull;
    for (row& one : rows) {
      std::uint64_t known = 0;
      const bool fresh =
          __atomic_compare_exchange_n(&one.name, &known, hash | 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      if (fresh || known == (hash | 1)) return one;
    }
    std::abort();  // more than 64 names
  }

  const char* const name_;
  std::atomic<int>& inside_;
};

}  // namespace ravel

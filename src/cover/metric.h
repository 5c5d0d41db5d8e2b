// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Metric: consumes the events of one execution in order and yields tasks. It keeps what one execution needs, in bounded
// tables that begin() empties in O(1); truncated() says that something did not fit.
//
// Rules that hold for all (docs/coverage.md): a place is the user's own code; a variable is an object and the offset of
// the first byte; plain accesses are variables, atomics are synchronisation objects; a thread's own stack counts once
// another thread has touched that variable.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <span>

#include "base/place_map.h"
#include "base/pool.h"
#include "causality/observer.h"
#include "cover/identity.h"
#include "cover/task_buffer.h"
#include "detect/held_locks.h"
#include "model/coverage.h"

namespace ravel {

inline constexpr std::uint32_t kCoverVariables = 1u << 17;

struct CoverServices {
  Identity& identity;
  TaskBuffer& tasks;
  const HeldLocks& locks;
  std::uint32_t metrics;  // those that are on

  [[nodiscard]] bool has(MetricId id) const { return (metrics & metric_bit(id)) != 0; }
};

// One plain access to one variable.
struct Access {
  const Event& event;
  std::uint64_t sequence;
  std::uint64_t variable;  // object << 32 | offset of the first byte
  Atom place;
  Atom name;  // of the variable in tasks
  bool write;
};

class Metric {
 public:
  explicit Metric(const CoverServices& services) : services_(services) {}
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  virtual void begin() = 0;
  // Every event that is no plain access; before the next ones.
  virtual void on_event(const Event& e, const Moment& at) {
    (void)e;
    (void)at;
  }
  virtual void on_access(const Access& access) { (void)access; }
  // Accesses may be missing here: what is known of a variable says nothing about what comes, and one of which nothing
  // is known need not be new. Called of metrics with MetricRow::in_bursts.
  virtual void gap() {}
  virtual void finish(const TraceView& trace) { (void)trace; }
  [[nodiscard]] virtual bool truncated() const { return false; }

 protected:
  ~Metric() = default;

  void emit(MetricId id, std::initializer_list<Atom> fields) {
    if (services_.has(id)) services_.tasks.add(id, std::span<const Atom>(fields.begin(), fields.size()));
  }
  // A metric and its starred form, which has more fields behind.
  void emit_pair(MetricId plain, std::initializer_list<Atom> fields, std::initializer_list<Atom> more) {
    emit(plain, fields);
    const auto star = static_cast<MetricId>(static_cast<unsigned>(plain) + 1);
    if (!services_.has(star)) return;
    Atom all[kMostFields] = {};
    std::size_t count = 0;
    for (const Atom field : fields) all[count++] = field;
    for (const Atom field : more) all[count++] = field;
    services_.tasks.add(star, std::span<const Atom>(all, count));
  }
  // As the thread is now. Whoever is named in a later task is kept as this.
  [[nodiscard]] Atom thread(ThreadIndex index) const { return services_.identity.who(index); }

  const CoverServices services_;
};

// Values by variable or other 64-bit key, emptied in O(1). A full table says so and yields nullptr.
template <class T>
class KeyedPool {
 public:
  KeyedPool(std::pmr::memory_resource& memory, std::uint32_t most)
      : index_(memory, 1u << 8, 2 * most), pool_(memory, most) {}

  void clear() {
    index_.clear();
    pool_.clear();
    full_ = false;
  }
  T* find(std::uint64_t key) {
    const std::uint32_t number = index_.find(key);
    return number == 0 ? nullptr : &pool_[number];
  }
  // Made by default if it is new.
  T* get(std::uint64_t key) {
    std::uint32_t* number = index_.claim(key);
    if (number == nullptr) {
      full_ = true;
      return nullptr;
    }
    if (*number == 0) *number = pool_.add(T{});
    if (*number == 0) {
      full_ = true;
      index_.erase(key);
      return nullptr;
    }
    return &pool_[*number];
  }
  [[nodiscard]] std::uint32_t number_of(std::uint64_t key) const { return index_.find(key); }
  [[nodiscard]] bool full() const { return full_; }

 private:
  PlaceMap index_;
  Pool<T> pool_;
  bool full_ = false;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Synchronisation as transfers between the elements of a lockset: threads, places, and what fences and barriers carry.
// "o |= t" (unlock by t): whoever is synchronised with t is from now on synchronised through o. An assignment ends what
// an older release through the element has brought. The edges are those of causality/README.md.
//
// The log only grows within an execution; when it is full nothing more is logged and full() says so.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "base/pool.h"
#include "model/event.h"

namespace ravel {

using Element = std::uint32_t;  // from 1; 0: nothing

struct Transfer {
  Element to;
  Element from;
  ThreadIndex thread;  // who did it
  bool assigns;        // else it adds
};

// What an element stands for.
struct ElementName {
  enum class Kind : std::uint8_t { kThread, kObject, kCarrier };  // kCarrier: what fences and barriers pass on
  Kind kind;
  std::uint64_t key;  // thread, or place
};

class TransferLog {
 public:
  TransferLog(std::pmr::memory_resource& memory, std::uint32_t max_transfers, std::uint32_t max_elements);
  TransferLog(const TransferLog&) = delete;
  TransferLog& operator=(const TransferLog&) = delete;

  void begin();
  void on_event(const Event& e);

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] const Transfer& operator[](std::uint32_t i) const { return log_[i]; }
  [[nodiscard]] Element of_thread(ThreadIndex thread) { return element(kThread, thread); }
  [[nodiscard]] Element of_lock(std::uint64_t place) { return element(kPlace, place); }
  [[nodiscard]] std::uint32_t elements() const { return elements_; }
  [[nodiscard]] ElementName name_of(Element e) const;
  // Number of transfers when the element was last forgotten: what went through it before is gone.
  [[nodiscard]] std::uint32_t forgotten_at(Element e) const { return infos_[e].forgotten; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  struct LoggedEdges;
  enum Tag : std::uint64_t { kPlace = 0, kShared = 1, kThread = 2, kRelaxedReads = 3, kReleaseFence = 4, kRound = 5 };
  struct Info {
    ThreadIndex holder;  // rwlock: writer; barrier: last arrival of the round
    std::uint32_t forgotten;
    std::uint64_t tagged_key;
  };

  Element element(Tag tag, std::uint64_t key);
  void add(Element to, Element from, ThreadIndex thread) { log(to, from, thread, false); }
  void assign(Element to, Element from, ThreadIndex thread) { log(to, from, thread, true); }
  void log(Element to, Element from, ThreadIndex thread, bool assigns);
  void forget(std::uint64_t place, ThreadIndex thread);
  void lifecycle(const Event& e);
  void atomic(const Event& e);
  void synchronise(const Event& e);

  PlaceMap index_;
  Info* infos_;
  Transfer* log_;
  SparseArray<ThreadIndex> next_in_round_;
  SparseArray<std::uint64_t> waiting_mutex_;
  std::uint32_t max_transfers_;
  std::uint32_t max_elements_;
  std::uint32_t count_ = 0;
  std::uint32_t elements_ = 0;
  bool full_ = false;
};

}  // namespace ravel

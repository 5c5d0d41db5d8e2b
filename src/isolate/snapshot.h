// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Snapshot: the private memory of this process as it is now, and the way back to it. Nothing writable is left out but
// the stack that the engine stands on: program, libraries, loader, runtime, heap, stacks of virtual threads and
// thread-local storage go back together.
//
// A page costs something only once it has been written by this process. Which those are is known exactly (page_map.h):
// they are looked for again whenever the program has had page faults since the last look; else no page can have joined
// them. All of them are compared with their saved contents after each execution, and what differs is copied back.
// The engine's own page faults are no reason to look: between executions it writes memory that is shared and its own
// stack, nothing that is put back. Counting them separately takes a second system call per execution, so that is done
// only for a while after a look that found nothing: a warm engine has no faults.
//
// Everything about a snapshot lies in memory of its own, which no snapshot contains.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isolate/address_ranges.h"
#include "isolate/page_lines.h"

namespace ravel {

class Snapshot {
 public:
  // All but [keep_begin, keep_end). nullptr: `why` says why it is not possible here.
  static Snapshot* take(std::uintptr_t keep_begin, std::uintptr_t keep_end, const char*& why);
  // Part of where snapshots are kept.
  static bool holds(std::uintptr_t address);

  // Around the program's run: whether it has page faults. Where that is left to later (`now` is false), those of the
  // engine count too.
  void begin_run(bool now);
  void end_run();

  enum class Where : std::uint8_t {
    kEverywhere,
    kInUse,  // without stacks and tables of threads that this execution did not have: only a stray write gets there
  };
  // Puts everything back, after comparing every page that was ever written. True when nothing differed beyond the lines
  // that restore_known_lines() does. When it failed `why` is a static text, and the process is not to be used again;
  // else nullptr.
  bool restore(Where where, const char*& why);

  // Puts back the lines that have ever differed, without looking at the others.
  void restore_known_lines();

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::uint32_t kMaxPages = 1u << 20;  // saved or tracked; 4 GiB
  static constexpr std::uint32_t kSlots = 2 * kMaxPages;
  static constexpr std::uint32_t kMaxRanges = 4096;

  struct Page {
    std::uintptr_t address;
    const unsigned char* saved;  // nullptr: untouched when the snapshot was taken, and not written since
    bool tracked;
  };

  Snapshot() = default;
  template <class Visit>
  void visit_ranges(Where where, Visit&& visit);
  void list_ranges(std::size_t count, std::uintptr_t keep_begin, std::uintptr_t keep_end);
  bool save_all();
  // Finds the pages that this process has written and that are not tracked yet.
  bool look(Where where, const char*& why);
  bool track(std::uintptr_t address, bool of_file);
  Page* page_at(std::uintptr_t address);  // found or made; nullptr: full
  unsigned char* new_copy();

  // Takes the faults since the last count for the program's.
  void count_faults();
  // After a look that found no page: the faults were the engine's.
  void count_faults_separately();

  std::uint64_t faults_ = 0;  // at the last count
  bool counting_ = false;     // the run in hand is counted by itself
  bool counted_ = false;      // the last run is: faults that follow are the engine's
  bool faulted_ = false;      // the program has had faults since the last look
  std::uint32_t apart_ = 0;   // so many more runs in which the engine's faults are counted separately ...
  std::uint32_t again_ = 0;   // ... and how many there were after the last look that found nothing
  std::uint32_t tracked_ = 0;
  std::uint32_t pages_ = 0;
  std::uint32_t ranges_ = 0;
  std::size_t copies_ = 0;
  AddressRange range_[kMaxRanges];
  LinesOfPage list_[kMaxPages];  // tracked pages; of each, the lines that have ever differed
  Page page_[kMaxPages];
  std::uint32_t slot_[kSlots];                // by address: number of the page plus one
  alignas(kPage) unsigned char zero_[kPage];  // what every page was that nobody had touched; never written
  alignas(kPage) unsigned char copy_[1];
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What an execution has changed outside of its memory and can be taken back: descriptors it opened, memory it mapped,
// signal handlers, working directory, file mode mask, end of the data segment, pending output. What it did to the world
// (files written, packets sent) stays, as it does when a child of its own ran it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

class KernelUndo {
 public:
  // The state to come back to is the one now.
  void remember();

  // An execution says what it does. False: that cannot be taken back.
  bool opened(long fd);
  [[nodiscard]] bool is_own(long fd) const;
  void closed(long fd);
  bool mapped(std::uintptr_t address, std::size_t bytes);
  [[nodiscard]] bool is_own_mapping(std::uintptr_t address, std::size_t bytes) const;
  bool will_change_action(int signal);
  bool will_set_break(std::uintptr_t address);
  void changed_directory() { directory_changed_ = true; }
  void changed_mask() { mask_changed_ = true; }
  void changed_signal_mask() { signal_mask_changed_ = true; }
  void sent_signal() { signal_sent_ = true; }
  void used_streams() { streams_used_ = true; }

  [[nodiscard]] std::uint64_t signal_mask() const { return signal_mask_; }
  [[nodiscard]] bool streams_used() const { return streams_used_; }

  // The execution ended in a signal handler, or by an error.
  void ended_abnormally() { signal_mask_changed_ = streams_used_ = true; }

  // Takes everything back. False: something could not be. The object itself is part of the memory that is put back.
  bool undo() const;

 private:
  static constexpr int kMaxDescriptor = 1024;
  static constexpr int kMaxMappings = 64;
  static constexpr int kSignals = 65;
  struct KernelAction {
    void* handler;
    unsigned long flags;
    void* restorer;
    unsigned long mask;
  };
  struct Mapping {
    std::uintptr_t address;
    std::size_t bytes;
  };

  void close_descriptors() const;
  [[nodiscard]] bool restore_actions() const;

  bool directory_changed_ = false;
  bool mask_changed_ = false;
  bool break_changed_ = false;
  bool signal_sent_ = false;
  bool signal_mask_changed_ = false;
  bool streams_used_ = false;
  int descriptors_ = 0;
  int mappings_ = 0;
  std::uint64_t descriptor_bits_[kMaxDescriptor / 64] = {};
  Mapping mapping_[kMaxMappings] = {};
  bool action_saved_[kSignals] = {};
  int actions_ = 0;
  KernelAction action_[kSignals] = {};

  std::uint64_t signal_mask_ = 0;
  std::uintptr_t break_ = 0;
  unsigned file_mask_ = 0;
  char directory_[4096] = {};
};

}  // namespace ravel

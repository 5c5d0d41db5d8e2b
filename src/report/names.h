// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Names for everything in one ExecutionRecord, in two voices: canonical (for hashes and plan files: lasting, exact) and
// for people (short). Holds references: record and symboliser must outlive it.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/execution_record.h"
#include "model/text/canonical_hash.h"
#include "model/text/plan_file.h"
#include "symbols/symbolizer.h"

namespace ravel {

class Names final : public Namer {
 public:
  Names(const ExecutionRecord& record, Symbolizer& symbolizer);

  // Canonical.
  std::string thread_name(ThreadIndex thread) override;
  std::string object_name(ObjectId object, std::uint32_t offset) override;
  std::string place_name(LocationId location) override;
  PlaceName place(LocationId location);
  // Of the line shown to people: innermost frame of the user's own code, looked for up the call stack.
  PlaceName user_place(LocationId location, ContextId context);

  // For people.
  std::string thread_label(ThreadIndex thread) const;  // T1
  std::string thread_title(ThreadIndex thread) const;  // T1 (main.1, "worker")
  std::string object_text(ObjectId object, std::uint32_t offset);
  // The variable or block that the place lies in: for comparing, not for showing.
  std::string whole_object(ObjectId object, std::uint32_t offset);
  [[nodiscard]] bool is_named(ObjectId object, std::uint32_t offset);
  std::string place_text(LocationId location, ContextId context);  // bank.cpp:14
  std::string short_name(const std::string& file) const;           // relative to the present folder if below it
  const Frame& user_frame(LocationId location, ContextId context);
  // The user's own frames, innermost first: "f at bank.cpp:14".
  std::vector<std::string> user_stack(LocationId location, ContextId context, std::size_t limit);
  // Innermost first, of the libraries only: ends before the first frame of the user's code.
  std::vector<Frame> frames_up_to_user(LocationId location, ContextId context);

  [[nodiscard]] const ExecutionRecord& record() const { return record_; }
  Symbolizer& symbolizer() { return symbolizer_; }

 private:
  const ExecutionRecord& record_;
  Symbolizer& symbolizer_;
  std::string local_text(ObjectId object, std::uint32_t offset);
  std::string heap_text(ObjectId object, std::uint32_t offset);
  std::string typed_heap_text(ObjectId object, std::uint32_t offset);
  bool is_of_container(const ObjectRecord& object);
  void find_users_of_blocks();
  const Frame& find_user_frame(LocationId location, ContextId context);

  std::string cwd_;
  using UsersByThread = std::map<ThreadIndex, std::vector<LocationId>>;
  std::unordered_map<std::uint64_t, UsersByThread> users_;  // of places in heap blocks: code that touches them
  bool users_known_ = false;
  std::unordered_map<std::uint64_t, std::string> typed_;  // by block and offset
  std::unordered_map<std::uint64_t, Frame> user_frames_;  // by context and location
};

std::uint64_t canonical_hash_of(const ExecutionRecord& record, Names& names);
// "src/bank.cpp:14": relative to the present folder where that is shorter.
std::string short_path(const std::string& path, const std::string& cwd);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From the names of a sequence file to what the worker can check. Names of objects are those that executions of the
// program show: a few are run to learn them.
#pragma once

#include <map>
#include <string>

#include "driver/replay.h"
#include "model/text/syn_text.h"
#include "report/sequence.h"

namespace ravel {

// Objects that a sequence can name, as the executions so far show them.
class KnownObjects {
 public:
  // Runs the program as `replay` says, under other schedules, until all names of the file are known, or some dozen
  // schedules have shown nothing new.
  Result<void> learn(const ReplayOptions& replay, const SynFile& file);

  // 0: not known.
  [[nodiscard]] LastingName find(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, LastingName>& all() const { return objects_; }
  // nullptr: not known.
  [[nodiscard]] const SequenceNames::Port* find_port(const std::string& name) const;
  [[nodiscard]] std::string port_hint(const std::string& name) const;
  [[nodiscard]] const std::set<std::string>& labels() const { return labels_; }
  // The file names objects, and none that the program used, nor anything near one.
  [[nodiscard]] bool is_of_another_program(const SynFile& file) const;

 private:
  Result<void> run(const ReplayOptions& replay);
  [[nodiscard]] bool knows(const std::string& meant) const;
  [[nodiscard]] bool knows_all(const SynFile& file) const;

  std::map<std::string, LastingName> objects_;
  std::map<std::string, SequenceNames::Port> ports_;
  std::set<std::string> labels_;
};

// What the object is called in the file stands for; aliases are resolved.
std::string object_meant(const SynFile& file, const std::string& name);
std::string thread_meant(const SynFile& file, const std::string& name);

// `name` is the file's, for messages.
Result<SequenceList> resolve_sequence(const SynFile& file, const KnownObjects& known, const std::string& name);

}  // namespace ravel

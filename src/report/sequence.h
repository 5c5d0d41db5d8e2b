// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The synchronisation events of an execution as a sequence that people read, and the names of its objects: label,
// global or member, local of a thread (`m@main'), else creator and number (`heap@main.1/3+16'). Never an address. A
// name that two objects of the execution would have is not used.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/sequence.h"
#include "model/text/syn_text.h"
#include "report/names.h"

namespace ravel {

class SequenceNames {
 public:
  explicit SequenceNames(Names& names);

  // Of the object whose sequence the operation is part of.
  [[nodiscard]] std::string object_of(const Event& event);
  [[nodiscard]] LastingName lasting(std::uint64_t place) const;
  // Who does it: a thread, a message that is received, or the queue whose message a select takes.
  [[nodiscard]] std::string doer_of(const Event& event);
  [[nodiscard]] const std::set<std::string>& labels() const { return labels_; }
  // Of any location, as short as it lasts.
  [[nodiscard]] std::string name_of(std::uint64_t place) { return short_text(place); }
  // Of a rendezvous the port that was called, of a select the queue whose message it takes.
  [[nodiscard]] std::string port_of(const Event& event);
  struct Port {
    LastingName name = 0;
    LastingName inbox = 0;
    std::set<std::string> receivers;  // lineages
  };
  [[nodiscard]] const std::map<std::string, Port>& ports() const { return ports_; }
  // All objects of the execution that a sequence can name.
  [[nodiscard]] const std::map<std::string, LastingName>& objects() const { return by_name_; }

 private:
  void find_ports();
  std::string short_text(std::uint64_t place);
  std::string general_text(std::uint64_t place) const;

  Names& names_;
  std::unordered_map<std::uint64_t, std::string> texts_;  // by place
  std::map<std::string, LastingName> by_name_;
  std::map<std::string, Port> ports_;
  std::set<std::string> labels_;
};

// Whether sequence_of() has a line for the event.
[[nodiscard]] inline bool in_sequence(const Event& event) {
  return is_listed_event(event.kind) && !completes_nothing(event);
}
// All events of a sequence, numbered.
std::vector<SynEvent> sequence_of(Names& names, SequenceNames& objects);

// What threads were about to do when the execution ended.
std::vector<SynEvent> waiting_in_sequence(Names& names, SequenceNames& objects);

// Without events on objects that one thread alone uses or waits for: they cannot come in another order. The objects
// that are left.
std::vector<std::string> keep_needed(std::vector<SynEvent>& events, const std::vector<SynEvent>& waiting);

// Thread, and lineage of `main.2.1', to their lasting names. 0: no lineage.
LastingName lasting_thread(const std::string& lineage);
// `heap@main.1/3+16'. 0: no such name.
LastingName lasting_heap_object(const std::string& name);

}  // namespace ravel

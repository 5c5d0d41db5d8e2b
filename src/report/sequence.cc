// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/text/words.h"

namespace ravel {
namespace {

std::uint64_t place_in_sequence(const Event& event) {
  return sequence_place(event.kind, place_of(event), event.value);
}

bool fits_table(const ExecutionRecord& record, std::uint64_t place) {
  return (place >> 32) < record.objects.size();
}

// "local 'q.mutex_' of T0 (bank.cpp:3)" has the variable between its quotes.
std::string quoted_part(const std::string& text) {
  const std::size_t begin = text.find('\'');
  const std::size_t end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
  if (end == std::string::npos) return {};
  const std::size_t blank = std::min(text.find(' ', end), text.size());
  return text.substr(begin + 1, end - begin - 1) + text.substr(end + 1, blank - end - 1);
}

}  // namespace

SequenceNames::SequenceNames(Names& names) : names_(names) {
  const ExecutionRecord& record = names.record();
  std::map<std::string, std::set<LastingName>> taken;
  const auto see = [&](const Event& event) {
    if (!is_sequence_event(event.kind) || !fits_table(record, place_in_sequence(event))) return;
    const std::uint64_t place = place_in_sequence(event);
    std::string& text = texts_[place];
    if (!text.empty()) return;
    text = short_text(place);
    taken[text].insert(lasting(place));
  };
  for (const Event& event : record.events) see(event);
  for (const Event& event : record.pending) see(event);
  for (const LabelRecord& label : record.labels) {
    if (label.object == 0) labels_.insert(short_text(label.offset));
  }
  for (auto& [place, text] : texts_) {
    if (taken[text].size() > 1) text = general_text(place);
    by_name_[text] = lasting(place);
  }
  find_ports();
}

void SequenceNames::find_ports() {
  const ExecutionRecord& record = names_.record();
  std::map<std::uint64_t, std::set<std::string>> receivers;  // by place of the inbox
  for (const Event& event : record.events) {
    if (event.kind == OpKind::kOpen) receivers[place_of(event)].insert(lineage_of(record.threads, event.thread));
  }
  const auto see = [&](const Event& event) {
    const bool alternative = event.kind == OpKind::kMeet || event.kind == OpKind::kEnlist;
    if (!alternative || !fits_table(record, place_of(event)) || !fits_table(record, event.value)) return;
    Port& port = ports_[short_text(place_of(event))];
    port.name = lasting(place_of(event));
    port.inbox = lasting(event.value);
    port.receivers.merge(std::set(receivers[event.value]));
  };
  for (const Event& event : record.events) see(event);
  for (const Event& event : record.pending) see(event);
}

std::string SequenceNames::port_of(const Event& event) {
  const bool takes = event.kind == OpKind::kSelect && event.value != 0;
  const std::uint64_t place = takes ? event.value : place_of(event);
  return (takes || event.kind == OpKind::kMeet) && fits_table(names_.record(), place) ? short_text(place) : "";
}

LastingName SequenceNames::lasting(std::uint64_t place) const {
  const ExecutionRecord& record = names_.record();
  return place_name_in(record.threads, record.objects, place);
}

std::string SequenceNames::doer_of(const Event& event) {
  const std::vector<ThreadRecord>& threads = names_.record().threads;
  if (event.kind == OpKind::kSelect && event.value != 0) return port_of(event);
  if (event.kind != OpKind::kDeliver || event.value == 0) return lineage_of(threads, event.thread);
  return message_text(lineage_of(threads, sender_of(event.value)), static_cast<std::uint32_t>(event.value));
}

std::string SequenceNames::object_of(const Event& event) {
  if (is_label(event.kind)) return short_text(static_cast<std::uint32_t>(event.value));
  const auto known = texts_.find(place_in_sequence(event));
  return known == texts_.end() ? "unknown" : known->second;
}

std::string SequenceNames::general_text(std::uint64_t place) const {
  const ExecutionRecord& record = names_.record();
  const ObjectRecord& object = record.objects[place >> 32];
  const auto offset = static_cast<std::uint32_t>(place);
  const std::string owner = lineage_of(record.threads, object.owner);
  switch (object.kind) {
    case ObjectKind::kHeap:
      return fmt::format("heap@{}/{}+{}", owner, object.ordinal, offset);
    case ObjectKind::kStack:
      return fmt::format("stack@{}-{}", owner, object.size - offset);
    case ObjectKind::kTls:
      return fmt::format("tls@{}-{}", owner, object.size - offset);
    case ObjectKind::kModule:
      return names_.object_name(static_cast<ObjectId>(place >> 32), offset);
    default:
      return fmt::format("memory/{}+{}", object.ordinal, offset);
  }
}

std::string SequenceNames::short_text(std::uint64_t place) {
  const ExecutionRecord& record = names_.record();
  const auto id = static_cast<ObjectId>(place >> 32);
  const auto offset = static_cast<std::uint32_t>(place);
  const ObjectRecord& object = record.objects[id];
  const bool labelled = std::any_of(record.labels.begin(), record.labels.end(), [&](const LabelRecord& label) {
    return label.object == id && offset >= label.offset && offset - label.offset < label.size;
  });
  if (labelled || object.kind == ObjectKind::kModule) return names_.object_text(id, offset);
  if (object.kind == ObjectKind::kStack) {
    const std::string local = quoted_part(names_.object_text(id, offset));
    if (!local.empty()) return local + "@" + lineage_of(record.threads, object.owner);
  }
  return general_text(place);
}

std::vector<SynEvent> sequence_of(Names& names, SequenceNames& objects) {
  const ExecutionRecord& record = names.record();
  std::vector<SynEvent> events;
  std::map<std::uint64_t, ThreadIndex> receivers;  // by inbox
  for (const Event& event : record.events) {
    if (event.kind == OpKind::kOpen) receivers[place_of(event)] = event.thread;
    if (!in_sequence(event)) continue;
    SynEvent line;
    line.thread = objects.doer_of(event);
    line.kind = event.kind;
    line.object = objects.object_of(event);
    if (event.failed()) line.ending = SequenceEnding::kFails;
    if (event.kind == OpKind::kCondSignal) {
      line.lost = event.value == kNoThread;
      if (!line.lost) line.woken = lineage_of(record.threads, static_cast<ThreadIndex>(event.value));
    }
    line.port = objects.port_of(event);
    if (!line.port.empty()) {
      const bool selects = event.kind == OpKind::kSelect;
      line.receiver = lineage_of(record.threads, selects ? event.thread : receivers[event.value]);
      line.object = inbox_name(line.receiver);
    }
    events.push_back(std::move(line));
  }
  number_events(events);
  return events;
}

std::vector<SynEvent> waiting_in_sequence(Names& names, SequenceNames& objects) {
  std::vector<SynEvent> waiting;
  for (const Event& event : names.record().pending) {
    if (!is_sequence_event(event.kind) || event.kind == OpKind::kDeliver || event.kind == OpKind::kSelect) continue;
    SynEvent line;
    line.thread = lineage_of(names.record().threads, event.thread);
    line.kind = event.kind;
    line.object = objects.object_of(event);
    line.port = objects.port_of(event);
    if (const auto port = objects.ports().find(line.port); port != objects.ports().end()) {
      line.object = inbox_name(port->second.receivers.empty() ? "" : *port->second.receivers.begin());
    }
    waiting.push_back(std::move(line));
  }
  return waiting;
}

std::vector<std::string> keep_needed(std::vector<SynEvent>& events, const std::vector<SynEvent>& waiting) {
  std::map<std::string, std::set<std::string>> users;
  std::map<std::string, std::string> ports;  // by inbox, one of them
  for (const SynEvent& event : waiting) users[event.object].insert(event.thread);
  for (const SynEvent& event : events) {
    users[event.object].insert(event.thread);
    if (!event.port.empty()) ports[event.object] = event.port;
  }
  std::erase_if(events, [&](const SynEvent& event) { return users[event.object].size() < 2; });
  number_events(events);
  std::vector<std::string> left;
  for (const auto& [object, threads] : users) {
    if (threads.size() > 1) left.push_back(ports.count(object) != 0 ? ports[object] : object);
  }
  return left;
}

LastingName lasting_thread(const std::string& lineage) {
  if (!is_lineage(lineage)) return 0;
  LastingName name = lineage_name(0, 0);
  for (std::size_t dot = lineage.find('.'); dot != std::string::npos;) {
    const std::size_t next = lineage.find('.', dot + 1);
    const std::size_t length = (next == std::string::npos ? lineage.size() : next) - dot - 1;
    name = lineage_name(name, *number_of<std::uint32_t>(std::string_view(lineage).substr(dot + 1, length)));
    dot = next;
  }
  return name;
}

LastingName lasting_heap_object(const std::string& name) {
  constexpr std::string_view kStart = "heap@";
  const std::size_t slash = name.rfind('/');
  const std::size_t plus = name.rfind('+');
  if (name.compare(0, kStart.size(), kStart) != 0 || slash == std::string::npos || plus == std::string::npos ||
      plus < slash) {
    return 0;
  }
  const LastingName owner = lasting_thread(name.substr(kStart.size(), slash - kStart.size()));
  const auto ordinal = number_of<std::uint32_t>(std::string_view(name).substr(slash + 1, plus - slash - 1));
  const auto offset = number_of<std::uint32_t>(std::string_view(name).substr(plus + 1));
  if (owner == 0 || !ordinal || !offset) return 0;
  ObjectRecord object;
  object.kind = ObjectKind::kHeap;
  object.ordinal = *ordinal;
  return place_name(object, 0, owner, *offset);
}

}  // namespace ravel

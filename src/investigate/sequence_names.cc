// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/sequence_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/guide.h"
#include "model/text/near_names.h"
#include "report/sequence.h"

namespace ravel {
namespace {

constexpr std::uint64_t kSchedulesToLearn = 24;

std::string meant(const std::vector<std::pair<std::string, std::string>>& names, const std::string& name) {
  for (const auto& [alias, stands_for] : names) {
    if (alias == name) return stands_for;
  }
  return name;
}

std::string hint_for(const std::string& name, const std::map<std::string, LastingName>& known) {
  std::vector<std::string_view> names;
  for (const auto& [text, lasting] : known) names.push_back(text);
  return near_hint(name, names, "no execution of the program used an object of that name; see `ravel syn show'");
}

class Resolver {
 public:
  Resolver(const SynFile& file, const KnownObjects& known, const std::string& name)
      : file_(file), known_(known), name_(name) {}

  Result<SequenceList> run() {
    SequenceList list;
    list.rules.order = file_.form == SynForm::kTotal ? SequenceOrder::kTotal : SequenceOrder::kObject;
    list.rules.open = file_.open ? 1 : 0;
    list.rules.listed = file_.only.empty() ? 0 : 1;
    for (const SynEvent& event : file_.events) {
      auto resolved = resolve(event);
      if (!resolved) return tl::make_unexpected(resolved.error());
      list.events.push_back(*resolved);
    }
    for (const std::string& object : file_.only) {
      SequenceEvent scope;
      scope.match = SequenceMatch::kScope;
      auto found = find_object(object, 0);
      if (!found) return tl::make_unexpected(found.error());
      scope.object = *found;
      list.events.push_back(scope);
    }
    if (list.events.empty()) return usage_error("the sequence has no event", name_);
    return list;
  }

 private:
  std::string where(std::uint32_t line) const { return line == 0 ? name_ : fmt::format("{}:{}", name_, line); }

  Result<LastingName> find_thread(const std::string& thread, std::uint32_t line) const {
    const LastingName found = lasting_thread(thread_meant(file_, thread));
    if (found != 0) return found;
    std::string sender;
    std::uint32_t number = 0;
    if (split_message(thread, sender, number)) {
      const LastingName known = lasting_thread(thread_meant(file_, sender));
      if (known != 0) return message_name(known, number);
    }
    std::vector<std::string_view> names;
    for (const auto& alias : file_.threads) names.push_back(alias.first);
    return usage_error(fmt::format("{}: unknown thread", where(line)), thread,
                       near_hint(thread, names, "a lineage such as main.1, or a name given by `thread NAME LINEAGE'"));
  }
  Result<LastingName> find_object(const std::string& object, std::uint32_t line) const {
    const std::string text = object_meant(file_, object);
    const LastingName found = known_.find(text);
    if (found != 0) return found;
    if (const SequenceNames::Port* const port = known_.find_port(text); port != nullptr) return port->inbox;
    if (known_.labels().count(text) != 0) return label_name(mark_number(text.data(), text.size()));
    std::map<std::string, LastingName> names = known_.all();
    for (const std::string& label : known_.labels()) names.try_emplace(label, 0);
    return usage_error(fmt::format("{}: unknown object", where(line)), text, hint_for(text, names));
  }

  Result<LastingName> find_label(const std::string& label, std::uint32_t line) const {
    const std::string text = object_meant(file_, label);
    if (known_.labels().count(text) != 0) return label_name(mark_number(text.data(), text.size()));
    const std::vector<std::string_view> names(known_.labels().begin(), known_.labels().end());
    return usage_error(fmt::format("{}: unknown label", where(line)), text,
                       near_hint(text, names, "no execution of the program came to a ravel::event() of that name"));
  }

  Result<void> find_port(const SynEvent& event, SequenceEvent& out) const {
    const std::string text = object_meant(file_, event.port);
    const SequenceNames::Port* const port = known_.find_port(text);
    if (port == nullptr)
      return usage_error(fmt::format("{}: unknown port", where(event.line)), text, known_.port_hint(text));
    out.woken = port->name;
    out.object = port->inbox;
    if (event.receiver.empty()) return {};
    auto receiver = find_thread(event.receiver, event.line);
    if (!receiver) return tl::make_unexpected(receiver.error());
    const std::string lineage = thread_meant(file_, event.receiver);
    if (port->receivers.count(lineage) != 0) return {};
    return usage_error(
        fmt::format("{}: {} does not receive from", where(event.line), event.receiver), text,
        port->receivers.empty() ? "nobody does, in the executions that were run" : *port->receivers.begin() + " does");
  }

  Result<SequenceEvent> resolve(const SynEvent& event) const {
    SequenceEvent out;
    if (event.kind != OpKind::kSelect) {
      auto thread = find_thread(event.thread, event.line);
      if (!thread) return tl::make_unexpected(thread.error());
      out.thread = *thread;
    }
    if (!event.object.empty() && event.port.empty()) {
      auto object = is_label(event.kind) ? find_label(event.object, event.line) : find_object(event.object, event.line);
      if (!object) return tl::make_unexpected(object.error());
      out.object = *object;
    }
    if (!event.woken.empty()) {
      auto woken = find_thread(event.woken, event.line);
      if (!woken) return tl::make_unexpected(woken.error());
      out.woken = *woken;
    }
    if (event.lost) out.woken = kNobody;
    if (!event.port.empty()) {
      if (auto called = find_port(event, out); !called) return tl::make_unexpected(called.error());
    }
    if (event.kind == OpKind::kSelect) out.thread = out.woken;  // the queue is who does it
    out.kind = event.kind;
    out.ending = event.ending;
    if (file_.form != SynForm::kTotal) out.number = event.thread_number;
    return out;
  }

  const SynFile& file_;
  const KnownObjects& known_;
  const std::string& name_;
};

}  // namespace

std::string object_meant(const SynFile& file, const std::string& name) {
  return meant(file.objects, name);
}
std::string thread_meant(const SynFile& file, const std::string& name) {
  return meant(file.threads, name);
}

LastingName KnownObjects::find(const std::string& name) const {
  const auto known = objects_.find(name);
  return known != objects_.end() ? known->second : lasting_heap_object(name);
}

const SequenceNames::Port* KnownObjects::find_port(const std::string& name) const {
  const auto known = ports_.find(name);
  return known == ports_.end() ? nullptr : &known->second;
}

std::string KnownObjects::port_hint(const std::string& name) const {
  std::map<std::string, LastingName> names;
  for (const auto& [text, port] : ports_) names[text] = port.name;
  return hint_for(name, names);
}

bool KnownObjects::knows(const std::string& meant) const {
  return find(meant) != 0 || find_port(meant) != nullptr || labels_.count(meant) != 0;
}

bool KnownObjects::knows_all(const SynFile& file) const {
  const auto known = [&](const std::string& name) { return name.empty() || knows(object_meant(file, name)); };
  const auto knows = [&](const SynEvent& e) {
    return e.port.empty() ? known(e.object) : find_port(object_meant(file, e.port)) != nullptr;
  };
  return std::all_of(file.events.begin(), file.events.end(), knows) &&
         std::all_of(file.only.begin(), file.only.end(), known);
}

bool KnownObjects::is_of_another_program(const SynFile& file) const {
  std::set<std::string> meant;
  for (const SynEvent& event : file.events) {
    const std::string& name = event.port.empty() ? event.object : event.port;
    if (!name.empty()) meant.insert(object_meant(file, name));
  }
  std::vector<std::string_view> names(labels_.begin(), labels_.end());
  for (const auto& [text, lasting] : objects_) names.push_back(text);
  for (const auto& [text, port] : ports_) names.push_back(text);
  return !meant.empty() && std::none_of(meant.begin(), meant.end(), [&](const std::string& name) {
    return knows(name) || !near_names(name, names).empty();
  });
}

Result<void> KnownObjects::run(const ReplayOptions& replay) {
  auto result = run_replay(replay);
  if (!result) return tl::make_unexpected(result.error());
  Symbolizer symbolizer;
  Names names(result->record, symbolizer);
  const SequenceNames objects(names);
  objects_.insert(objects.objects().begin(), objects.objects().end());
  labels_.insert(objects.labels().begin(), objects.labels().end());
  for (const auto& [text, port] : objects.ports()) {
    SequenceNames::Port& known = ports_[text];
    known.name = port.name;
    known.inbox = port.inbox;
    known.receivers.insert(port.receivers.begin(), port.receivers.end());
  }
  return {};
}

Result<void> KnownObjects::learn(const ReplayOptions& replay, const SynFile& file) {
  ReplayOptions other = replay;
  other.prefix.clear();
  other.sequence = {};
  for (std::uint64_t seed = 0; seed < kSchedulesToLearn; ++seed) {
    if (seed != 0 && knows_all(file)) return {};
    other.plan.policy = PolicySpec{};
    other.plan.policy.kind = seed == 0 ? PolicyKind::kRunOn : PolicyKind::kRandomWalk;
    other.plan.policy.seed = seed;
    if (auto ran = run(other); !ran) return ran;
  }
  return {};
}

Result<SequenceList> resolve_sequence(const SynFile& file, const KnownObjects& known, const std::string& name) {
  if (known.is_of_another_program(file)) {
    return cannot_test("the sequence is of another program", name,
                       "no execution of this one used an object that it names; see `ravel syn show'");
  }
  return Resolver(file, known, name).run();
}

}  // namespace ravel

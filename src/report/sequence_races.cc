// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/sequence_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>

#include "explore/race_sets.h"

namespace ravel {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kShown = 2048;  // events

class Analysis {
 public:
  Analysis(Names& names, const ReplayedSteps& replayed, const PlanSpec& plan)
      : record_(names.record()),
        objects_(names),
        replayed_(replayed),
        plan_(plan),
        steps_(memory_, StepOrder::kSequences),
        races_(memory_, steps_) {}

  Result<SequenceRaces> run() {
    if (record_.first_sequence() != 0 || replayed_.operands.size() != record_.events.size() || !take()) {
      return cannot_test("the execution is too long to be analysed", "");
    }
    if (races_.count() > kShown) return cannot_test("the execution has too many events", "at most 2048");
    for (std::uint32_t i = 0; i < races_.completed(); ++i) {
      shown_.push_back(out_.events.size());
      if (races_[i].withdrawn) {
        out_.waiting.push_back(call_text(i) + ", timed out");
      } else {
        out_.events.push_back(entry(i));
      }
    }
    for (std::uint32_t i = races_.completed(); i < races_.count(); ++i) out_.waiting.push_back(call_text(i));
    make_rows();
    const Unmodelled& unmodelled = races_.unmodelled();
    if (unmodelled.kind != OpKind::kNone) {
      out_.note = fmt::format("not exact: nobody can reason about `{}' here", op_name(unmodelled.kind));
    } else if (!races_.undecided_atomics().empty()) {
      out_.note = "not exact: orders of accesses to atomics are no part of it";
    }
    return std::move(out_);
  }

 private:
  bool take() {
    result_ = std::make_unique<ExecutionResult>();
    ExecutionResult* const result = result_.get();
    result->outcome = record_.outcome;
    result->threads = static_cast<std::uint32_t>(record_.threads.size());
    result->objects = static_cast<std::uint32_t>(record_.objects.size());
    result->pending = static_cast<std::uint32_t>(replayed_.pending.size());
    result->decisions = static_cast<std::uint32_t>(replayed_.decisions.size());
    result->live_at_end = record_.live_at_end;
    result->thread = record_.thread;
    objects_table_ = record_.objects;
    objects_table_.resize(kMaxObjects);
    TraceView trace;
    trace.result = result;
    trace.plan = &plan_;
    trace.threads = record_.threads;
    trace.objects = objects_table_;
    trace.pending = replayed_.pending;
    trace.decisions = replayed_.decisions;
    steps_.begin(trace);
    for (std::size_t i = 0; i < record_.events.size(); ++i) {
      const std::uint32_t before = steps_.count();
      steps_.add(record_.events[i], replayed_.operands[i]);
      if (steps_.count() != before) event_of_.push_back(i);
    }
    return steps_.finish(trace, replayed_.decisions) && races_.take();
  }

  // The recorded event that a call was, or was about to be.
  [[nodiscard]] Event event_at(std::uint32_t i) const {
    const RaceSets::SequenceStep& event = races_[i];
    if (event.index != RaceSets::kNone) return record_.events[event_of_[event.index]];
    if (event.step->act.op.kind == OpKind::kDeliver) {
      Event sent = record_.events[event_of_[races_.cast_of(*event.step)]];
      sent.kind = OpKind::kDeliver;
      return sent;
    }
    if (event.step->act.op.kind == OpKind::kSelect) return select_of(*event.step);
    for (const Event& pending : record_.pending) {
      if (pending.thread == event.step->column) return pending;
    }
    return {};
  }
  // Of a message that nobody took: the receiver's select as it would have taken it.
  [[nodiscard]] Event select_of(const Step& made) const {
    Event select;
    std::uint64_t queue = 0;
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const OperationView& op = steps_[i].act.op;
      const Event& event = record_.events[event_of_[i]];
      if (op.kind == OpKind::kSelect && op.place == made.act.op.place) select = event;
      if (op.kind == OpKind::kEnlist && op.place == made.act.op.value) queue = place_of(event);
    }
    select.value = queue;
    select.bits = 0;
    return select;
  }
  std::string operation_text(const Event& event) {
    std::string text(op_name(event.kind));
    if (const std::string port = objects_.port_of(event); !port.empty()) text += " " + port;
    if (event.failed() && !is_withdrawn(event.bits)) text += " failed";
    return text;
  }
  std::string call_text(std::uint32_t i) {
    const Event event = event_at(i);
    return fmt::format("{}#{} {}", objects_.doer_of(event), races_[i].number, operation_text(event));
  }
  std::string object_text(std::uint32_t i) {
    const Event event = event_at(i);
    return races_[i].choice ? "choice of " + objects_.doer_of(event) : objects_.object_of(event);
  }

  SequenceRaces::Entry entry(std::uint32_t i) {
    SequenceRaces::Entry made;
    made.object = object_text(i);
    if (races_[i].choice) {
      made.position = races_[i].number;
      made.call = fmt::format("alternative {} of {}", races_[i].step->act.choice, races_[i].step->options);
      Column column{i, {}};
      for (std::uint32_t a = 0; a < races_[i].step->options; ++a) {
        if (a == races_[i].step->act.choice) continue;
        made.races.push_back(fmt::format("alternative {}", a));
        column.calls.push_back(a);
      }
      columns_.push_back(column);
      return made;
    }
    made.position = races_[i].position + 1;
    made.call = call_text(i);
    made.open = open_list(i);
    Column column{i, {}};
    for (std::uint32_t j = i + 1; j < races_.count(); ++j) {
      if (races_[j].choice || races_[j].object != races_[i].object || races_.races(i, j) == Enabled::kNo) continue;
      made.races.push_back(call_text(j));
      column.calls.push_back(j);
    }
    if (!column.calls.empty()) columns_.push_back(column);
    return made;
  }

  // Operations that the object would have completed, of those that the execution shows; `main.1:' if only that
  // thread's.
  std::vector<std::string> open_list(std::uint32_t i) {
    std::map<std::string, std::pair<std::set<std::string>, bool>> found;  // who may; everybody
    for (std::uint32_t j = 0; j < races_.count(); ++j) {
      if (races_[j].choice || races_[j].object != races_[i].object) continue;
      const Event event = event_at(j);
      Event plain = event;
      plain.bits = 0;
      auto& [who, all] = found.try_emplace(operation_text(plain), std::set<std::string>{}, true).first->second;
      const bool open = races_.is_open(i, *races_[j].step) != Enabled::kNo;
      if (open) who.insert(objects_.doer_of(event));
      all = all && open;
    }
    std::vector<std::string> list;
    for (const auto& [operation, may] : found) {
      if (may.second) list.push_back(operation);
      for (const std::string& who : may.first) {
        if (!may.second) list.push_back(who + ": " + operation);
      }
    }
    return list;
  }

  struct Column {
    std::uint32_t event;
    std::vector<std::uint32_t> calls;
    int digit = 0;
  };
  [[nodiscard]] bool changed_before(std::uint32_t event, bool (RaceSets::*before)(std::uint32_t, std::uint32_t) const,
                                    std::size_t end) const {
    return std::any_of(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(end), [&](const Column& c) {
      return c.digit > 0 && c.event != event && (races_.*before)(c.event, event);
    });
  }

  // All rows but zero: each is the next number, if a digit whose event is gone is left out.
  void make_rows() {
    for (const Column& column : columns_) out_.columns.push_back(shown_[column.event]);
    for (;;) {
      std::size_t at = columns_.size();
      while (at > 0 && (columns_[at - 1].digit < 0 ||
                        columns_[at - 1].digit == static_cast<int>(columns_[at - 1].calls.size()))) {
        --at;
      }
      if (at == 0) return;
      ++columns_[at - 1].digit;
      for (std::size_t j = at; j < columns_.size(); ++j) {
        columns_[j].digit = changed_before(columns_[j].event, &RaceSets::is_before, at) ? -1 : 0;
      }
      if (!calls_are_left()) continue;
      if (out_.rows.size() == kMostRows) {
        out_.all = false;
        return;
      }
      std::vector<int> row;
      for (const Column& column : columns_) row.push_back(column.digit);
      out_.rows.push_back(std::move(row));
      out_.variants.push_back(variant());
    }
  }
  // A call that is to be received instead must not come behind another change.
  [[nodiscard]] bool calls_are_left() const {
    for (const Column& column : columns_) {
      if (column.digit <= 0) continue;
      const bool choice = races_[column.event].choice;
      const std::uint32_t call = choice ? column.event : column.calls[static_cast<std::size_t>(column.digit) - 1];
      for (const Column& other : columns_) {
        if (other.digit <= 0 || other.event == column.event) continue;
        if (choice ? races_.is_before_control(other.event, call) : races_.is_before_call(other.event, call))
          return false;
      }
    }
    return true;
  }
  // What is kept: everything that no change comes before, and the changes.
  std::vector<std::string> variant() {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < races_.completed(); ++i) {
      if (races_[i].withdrawn) continue;
      const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.event == i; });
      const bool changed = column != columns_.end() && column->digit > 0;
      if (!changed && changed_before(i, &RaceSets::is_before, columns_.size())) continue;
      const SequenceRaces::Entry& entry = out_.events[shown_[i]];
      const std::string& call = changed ? entry.races[static_cast<std::size_t>(column->digit) - 1] : entry.call;
      out.push_back(fmt::format("{}#{} <- {}", entry.object, entry.position, call));
    }
    return out;
  }

  const ExecutionRecord& record_;
  SequenceNames objects_;
  const ReplayedSteps& replayed_;
  const PlanSpec& plan_;
  std::pmr::monotonic_buffer_resource memory_;
  Steps steps_;
  RaceSets races_;
  std::unique_ptr<ExecutionResult> result_;
  std::vector<ObjectRecord> objects_table_;
  std::vector<std::size_t> event_of_;  // by step
  std::vector<std::size_t> shown_;     // of each event of the races its entry
  std::vector<Column> columns_;
  SequenceRaces out_;
};

}  // namespace

Result<SequenceRaces> sequence_races(Names& names, const ReplayedSteps& steps, const PlanSpec& plan) {
  return Analysis(names, steps, plan).run();
}

}  // namespace ravel

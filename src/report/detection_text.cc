// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/detection_text.h"

#include <fmt/format.h>

#include "detect/detector_table.h"
#include "model/text/printable.h"
#include "report/interleaving.h"
#include "report/race_text.h"

namespace ravel {
namespace {

std::string object_of(Names& names, const Event& event) {
  std::string text = printable_line(names.object_text(event.object, event.offset));
  // What was thrown is known by its type.
  constexpr std::string_view kType = "typeinfo for ";
  if (event.kind == OpKind::kThrow && text.substr(0, kType.size()) == kType) text.erase(0, kType.size());
  return text.empty() ? "memory" : text;
}

// "t0", "0", "n": empty if it is no hole.
std::string hole_text(std::string_view hole, Names& names, const DetectionRecord& found) {
  if (hole == "n") return std::to_string(found.number);
  const char what = hole.size() == 2 ? hole[0] : 'e';
  const char digit = hole.empty() ? ' ' : hole.back();
  if (hole.empty() || hole.size() > 2 || digit < '0' || digit >= '0' + static_cast<int>(kMaxRoles)) return {};
  const Event& event = found.role[digit - '0'].event;
  switch (what) {
    case 'e':
      return fmt::format("{} {}", op_name(event.kind), names.place_text(event.location, event.context));
    case 't':
      return names.thread_label(event.thread);
    case 'o':
      return object_of(names, event);
    case 'p':
      return names.place_text(event.location, event.context);
    default:
      return {};
  }
}

// As the trace has it: the value of a plain write is not known when the detector sees it.
Event event_of(const ExecutionRecord& record, const RoleRecord& role) {
  const std::uint64_t first = record.first_sequence();
  if (role.sequence < first || role.sequence - first >= record.events.size()) return role.event;
  Event event = role.event;
  event.value = record.events[role.sequence - first].value;
  return event;
}

FindingEvent evidence_of(Names& names, const RoleRecord& role) {
  FindingEvent out;
  out.sequence = role.sequence;
  out.thread = role.event.thread;
  out.operation = std::string(op_name(role.event.kind));
  out.object = object_of(names, role.event);
  out.place = source_place(names, role.event.location, role.event.context);
  out.locks = lock_texts(names, role.event.thread, role.sequence);
  return out;
}

}  // namespace

std::string fill_explanation(std::string_view text, Names& names, const DetectionRecord& found) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const std::size_t close = text.find('}');
    const std::string filled =
        close == std::string_view::npos ? std::string() : hole_text(text.substr(1, close - 1), names, found);
    if (filled.empty()) {
      out += text[0];
      text.remove_prefix(1);
    } else {
      out += filled;
      text.remove_prefix(close + 1);
    }
  }
  return out;
}

DetectionText explain_detection(Names& names, const DetectionRecord& found) {
  DetectionText out;
  if (found.detector >= detector_table().size()) return out;
  const DetectorRow& row = detector_table()[found.detector];
  out.detector = std::string(row.name);
  out.heuristic = !row.precise;
  out.message = found.variant < row.explanations.size()
                    ? fill_explanation(row.explanations[found.variant], names, found)
                    : std::string(row.finds);
  for (unsigned i = 0; i < found.roles; ++i) {
    const RoleRecord& role = found.role[i];
    FindingEvent event = evidence_of(names, role);
    const InterleavingLine line = event_line(names, event_of(names.record(), role));
    std::string held;
    for (const std::string& lock : event.locks) held += (held.empty() ? "holds " : ", ") + lock;
    out.lines.push_back(fmt::format("{} {} by {} at {}{}{}, {}", line.operation, line.object,
                                    names.thread_title(event.thread), line.place, line.value.empty() ? "" : " ",
                                    line.value, held.empty() ? "no locks held" : held));
    out.events.push_back(std::move(event));
  }
  if (!row.precise) out.lines.push_back(fmt::format("detector {} is a heuristic: this may be intended", row.name));
  return out;
}

}  // namespace ravel

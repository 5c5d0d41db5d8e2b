// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What ravel/ravel.h calls, except explore() (isolate/explore_call.cc). Outside of executions they do nothing.
#include <errno.h>
#include <string.h>

#include "ravel/interface.h"
#include "runtime/ending/finish.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/record/first_functions.h"
#include "runtime/record/points.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

bool in_execution() {
  return g.in_control && !g.preparing;
}

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
  strncpy(to, from != nullptr ? from : "", N - 1);
  to[N - 1] = 0;
}

constexpr std::size_t kLongestName = sizeof(ObservationRecord::name) - 1;

ObservationRecord* observation_of(const char* name) {
  ExecutionResult& result = g.block->result;
  for (std::uint32_t i = 0; i < result.observations; ++i) {
    if (strncmp(result.observation_table[i].name, name, kLongestName) == 0) return &result.observation_table[i];
  }
  if (result.observations == kMaxObservations) return nullptr;
  ObservationRecord& fresh = result.observation_table[result.observations++];
  copy_text(fresh.name, name);
  return &fresh;
}

void put_label(ObjectId object, std::uint32_t offset, std::uint32_t size, const char* name) {
  ExecutionResult& result = g.block->result;
  std::uint32_t at = 0;
  while (at < result.labels && (result.label_table[at].object != object || result.label_table[at].offset != offset))
    ++at;
  if (at == kMaxLabels) return;
  LabelRecord& label = result.label_table[at];
  label.object = object;
  label.offset = offset;
  label.size = size;
  copy_text(label.name, name);
  if (at == result.labels) ++result.labels;
}

void write_failure(const char* what, const char* file, unsigned line, const char* by) {
  char buffer[kMessageBytes];
  TextBuffer out(buffer, sizeof buffer);
  out.text(program_invocation_short_name).text(": ").text(file).text(":").decimal(line).text(": ").text(by);
  out.text(what).text("\n");
  write_error(buffer);
}

}  // namespace

RAVEL_EXPORT std::uint32_t ravel_choose(std::uint32_t alternatives) {
  if (!in_execution() || alternatives < 2) return 0;
  // No point, since nobody else can tell when it is made; a plan by step has an entry for it all the same.
  if (takes_steps()) pass_step(g.current->index);
  const std::uint32_t taken = choose(alternatives < kDataChoice ? alternatives : kDataChoice - 1);
  set_operand(alternatives);
  record(OpKind::kChoice, 0, 0, 0, RAVEL_CALLER, taken);
  return taken;
}

RAVEL_EXPORT void ravel_label(const volatile void* object, std::size_t bytes, const char* name) {
  if (!in_execution() || object == nullptr || name == nullptr) return;
  const Place place = place_of_address(reinterpret_cast<std::uintptr_t>(object));
  if (place.object == 0) return;
  put_label(place.object, place.offset, bytes > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(bytes), name);
}

RAVEL_EXPORT void ravel_check_failed(const char* what, const char* file, unsigned line) {
  if (!g.in_control) return;
  write_failure(what, file, line, "ravel::check: ");
  finish_failure(OutcomeKind::kAssertion, what, RAVEL_CALLER);
}

RAVEL_EXPORT int ravel_exploring() {
  return in_execution() ? 1 : 0;
}

RAVEL_EXPORT void ravel_fail(const char* what, const char* file, unsigned line, const void* place) {
  if (!in_execution()) return;
  write_failure(what, file, line, "");
  const LocationId location = place == nullptr ? RAVEL_CALLER : location_of(reinterpret_cast<std::uintptr_t>(place));
  finish_failure(OutcomeKind::kAssertion, what, location);
}

RAVEL_EXPORT void ravel_observe(const char* name, const char* value) {
  if (!in_execution() || name == nullptr) return;
  const std::uint64_t number = mark_number(name, strnlen(name, kLongestName));
  const LocationId location = RAVEL_CALLER;
  const bool is_point = others_may_run() && is_plain_point(location);
  if (is_point) {
    Pending pending;
    pending.kind = OpKind::kObserve;
    pending.location = location;
    pending.value = number;
    point(pending);
  }
  ObservationRecord* observation = observation_of(name);
  if (observation != nullptr) copy_text(observation->value, value);
  if (is_point) return record_pending(0, number);
  record(OpKind::kObserve, 0, 0, 0, location, number);
}

RAVEL_EXPORT void ravel_mark(const char* name) {
  if (!in_execution() || name == nullptr) return;
  Pending pending;
  pending.kind = OpKind::kMark;
  pending.location = RAVEL_CALLER;
  pending.value = mark_number(name, strlen(name));
  put_label(0, static_cast<std::uint32_t>(pending.value), 1, name);
  point(pending);
  record_pending(0, pending.value);
}

RAVEL_EXPORT void ravel_progress() {
  if (!in_execution()) return;
  g.current->spin.forget();
  restart_step_limit();
}

RAVEL_EXPORT void ravel_job() {
  if (in_execution() && g_first_functions != 0) begin_job(RAVEL_CALLER);
}

RAVEL_EXPORT void ravel_region(int enters) {
  if (!in_execution() || (enters == 0 && g.current->regions == 0)) return;  // begun before the execution
  const std::uint32_t nesting = enters != 0 ? g.current->regions++ : --g.current->regions;
  record(enters != 0 ? OpKind::kRegionBegin : OpKind::kRegionEnd, 0, 0, 0, RAVEL_CALLER, nesting);
}

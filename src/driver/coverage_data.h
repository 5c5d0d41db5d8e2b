// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of one job, copied out of shared memory and checked: whoever holds it may follow every number in it. And
// what is asked of a campaign.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/execution_record.h"
#include "model/coverage.h"

namespace ravel {

struct Campaign;
struct SharedBlock;

struct CoverageRequest {
  std::uint32_t metrics = 0;  // bit 1 << MetricId; 0: coverage is not measured
  ThreadIdentity threads = ThreadIdentity::kAbstract;
  ObjectIdentity objects = ObjectIdentity::kAbstract;
  std::uint8_t functions = 20;
  bool adaptive = false;  // the strategy's executions depend on earlier ones
  double saturation = 0;  // not 0: end when a new task comes with at most this chance
  std::vector<CodeRange> system_code;
  std::vector<CodeRange> jobs;  // functions whose calls begin a job
};

struct CoverageData {
  std::vector<TaskRecord> tasks;
  std::vector<ThreadIdentityRecord> threads;
  std::vector<ObjectIdentityRecord> objects;
  std::vector<Atom> set_words;
  std::vector<std::uint32_t> run_words;
  std::vector<std::uint32_t> runs;
  std::vector<ThreadIdentityRecord> seen_threads;
  std::vector<ObjectIdentityRecord> seen_objects;
  std::vector<ModuleName> modules;
  std::vector<StackPlaceRecord> stack_places;  // of the last execution
  std::vector<ObjectRecord> objects_seen;      // ... and its objects, for names of local variables
  bool truncated = false;
  bool seen_truncated = false;
  bool saturated = false;

  [[nodiscard]] std::vector<Atom> set(Atom atom) const;
};

// Writes the request into the campaign for the worker; the system's code is the session's.
void request_coverage(const CoverageRequest& request, Campaign& campaign);
// Empty when nothing was measured.
std::vector<CoverageData> coverage_in(const SharedBlock& block);
// Numbers that do not fit are dropped, so that every one that is left can be followed.
void tame(CoverageData& data);

}  // namespace ravel

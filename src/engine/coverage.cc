// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "engine/coverage.h"

#include <new>

#include "base/invariant.h"

namespace ravel {
namespace {

// One table behind the other, at the same place for every worker.
class Layout {
 public:
  explicit Layout(SharedBlock& block) : block_(block) {}

  template <class T>
  T* table(std::uint32_t rows, std::uint64_t& at) {
    at = at_;
    at_ = (at_ + sizeof(T) * rows + Arena::kLine - 1) & ~(Arena::kLine - 1);
    INVARIANT(at_ <= kArenaBytes, "the tables of coverage fit behind the scratch memory");
    return reinterpret_cast<T*>(block_.arena + at);
  }

 private:
  SharedBlock& block_;
  std::size_t at_ = kCoverageBegin;
};

}  // namespace

CoverSet* open_coverage(SharedBlock& block, CampaignState& state, Arena& scratch) {
  const Campaign& campaign = block.campaign;
  if ((campaign.coverage & kAllMetrics) == 0) return nullptr;
  CoverageArea& area = block.coverage;
  CoverMemory memory;
  const CoverCapacity& rows = memory.capacity;
  Layout layout(block);
  memory.tasks = layout.table<TaskRecord>(rows.tasks, area.tasks_at);
  memory.threads = layout.table<ThreadIdentityRecord>(rows.threads, area.threads_at);
  memory.objects = layout.table<ObjectIdentityRecord>(rows.objects, area.objects_at);
  memory.set_words = layout.table<Atom>(rows.set_words, area.set_words_at);
  memory.run_words = layout.table<std::uint32_t>(rows.run_words, area.run_words_at);
  memory.runs = layout.table<std::uint32_t>(rows.runs, area.runs_at);
  memory.seen_threads = layout.table<ThreadIdentityRecord>(rows.seen_threads, area.seen_threads_at);
  memory.seen_objects = layout.table<ObjectIdentityRecord>(rows.seen_objects, area.seen_objects_at);
  auto* tables = new (scratch.allocate(sizeof(CoverTables), alignof(CoverTables)))
      CoverTables(scratch, memory, state.counters.current().cover);
  const IdentityModes modes{campaign.cover_threads, campaign.cover_objects, campaign.cover_functions};
  return new (scratch.allocate(sizeof(CoverSet), alignof(CoverSet)))
      CoverSet(scratch, *tables, campaign.coverage & kAllMetrics, modes);
}

RecordAlso recorded_for(std::uint32_t metrics) {
  constexpr std::uint32_t kOfAtomics = metric_bit(MetricId::kHbPair) | metric_bit(MetricId::kHbPairStar);
  if (need_accesses(metrics)) return RecordAlso::kAccesses;
  return (metrics & kOfAtomics) != 0 ? RecordAlso::kAtomics : RecordAlso::kNothing;
}

}  // namespace ravel

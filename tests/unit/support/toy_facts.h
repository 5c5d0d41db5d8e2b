// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static facts of a toy program as a worker maps them: every step is a site, every conflict of two threads a pair, and
// a step reaches what comes behind it, over branches either way. Some pairs may be left out, as by an analysis that is
// blind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "semantics/operation_view.h"
#include "support/fake_executor.h"
#include "wire/facts_table.h"

namespace ravel::testing {

class ToyFacts {
 public:
  // `gaps`: of three pairs one is missing, which one by this number; 0: none is. `locks`: accesses with a lock in
  // common are no pair.
  explicit ToyFacts(const toy::Program& program, std::uint64_t gaps = 0, bool locks = true)
      : program_(program), gaps_(gaps), locks_(locks) {
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
      creations_.push_back({FakeExecutor::created_at(t), t});
      std::uint32_t held = 0;  // bits
      for (std::uint32_t pc = 0; pc < program.threads[t].size(); ++pc) {
        columns_.push_back(FakeExecutor::location_of(t, pc));
        const toy::Step& step = program.threads[t][pc];
        if (step.kind == OpKind::kMutexLock) held |= 1u << step.at;
        if (step.kind == OpKind::kMutexUnlock) held &= ~(1u << step.at);
        const std::uint32_t kind = site_kind(program.threads[t][pc].kind);
        if (kind == kNoSite) continue;
        const auto site = static_cast<std::uint32_t>(sites_.size());
        places_.push_back({columns_.back(), site, site + 1});
        place_sites_.push_back(site);
        sites_.push_back({t, kind, 0, 0});
        steps_.push_back(&program.threads[t][pc]);
        held_.push_back(held);
      }
    }
    pair_up();
    find_reach();
    write();
  }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(bytes_.data()); }

 private:
  static constexpr std::uint32_t kNoSite = 99;

  static std::uint32_t site_kind(OpKind kind) {
    switch (kind) {
      case OpKind::kRead:
        return 0;
      case OpKind::kWrite:
        return 1;
      case OpKind::kAtomicLoad:
        return 2;
      case OpKind::kAtomicStore:
      case OpKind::kAtomicRmw:
      case OpKind::kAtomicCas:
        return 3;
      case OpKind::kMutexLock:
      case OpKind::kMutexTryLock:
        return 4;
      case OpKind::kCondWait:
        return 6;
      case OpKind::kCondSignal:
      case OpKind::kCondBroadcast:
        return 7;
      default:
        return kNoSite;
    }
  }

  // The kind of pair; kNoSite: none.
  static std::uint32_t pair_kind(std::uint32_t a, const toy::Step& one, std::uint32_t b, const toy::Step& other) {
    if (a > b) return pair_kind(b, other, a, one);
    if (b <= 3) {
      const bool meet = one.at < other.at + other.size && other.at < one.at + one.size;
      return meet && (a % 2 == 1 || b % 2 == 1) ? 0 : kNoSite;
    }
    if (a == 4 && b == 4) return one.at == other.at ? 1 : kNoSite;
    if (a == 4 && b == 6) return one.at == other.second ? 2 : kNoSite;
    return a == 6 && b == 7 && one.at == other.at ? 3 : kNoSite;
  }

  void pair_up() {
    for (std::uint32_t i = 0; i < sites_.size(); ++i) {
      sites_[i].partners_begin = static_cast<std::uint32_t>(partners_.size());
      for (std::uint32_t j = 0; j < sites_.size(); ++j) {
        if (sites_[i].thread_class == sites_[j].thread_class) continue;
        const std::uint32_t kind = pair_kind(sites_[i].kind, *steps_[i], sites_[j].kind, *steps_[j]);
        const std::uint64_t number = i < j ? i * 1000 + j : j * 1000 + i;
        const bool missing = gaps_ != 0 && mix64(number + gaps_) % 3 == 0;
        if (kind == 0 && locks_ && (held_[i] & held_[j]) != 0) continue;
        if (kind != kNoSite && !missing) partners_.push_back({j, kind, kind == 1 ? 1u : 0u});
      }
      sites_[i].partners_end = static_cast<std::uint32_t>(partners_.size());
    }
  }

  void find_reach() {
    const std::size_t words = (columns_.size() + 31) / 32;
    std::uint32_t row = 0;
    std::size_t first = 0;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      const std::vector<toy::Step>& steps = program_.threads[t];
      for (std::uint32_t pc = 0; pc < steps.size(); ++pc, ++row) {
        words_.resize(words_.size() + words);
        // Only forwards, but for a step that repeats itself.
        std::vector<bool> reached(steps.size() + 1);
        reached[pc] = true;
        for (std::uint32_t at = pc; at < steps.size(); ++at) {
          if (!reached[at]) continue;
          const std::size_t column = first + at;
          words_[row * words + column / 32] |= 1u << column % 32;
          reached[at + 1] = true;
          const std::size_t skipped = at + 1 + steps[at].skip;
          if (skipped <= steps.size()) reached[skipped] = true;
        }
        reach_places_.push_back({FakeExecutor::location_of(t, pc), row, row, 1});
      }
      first += steps.size();
    }
  }

  template <class T>
  void append(const std::vector<T>& list) {
    bytes_.append(reinterpret_cast<const char*>(list.data()), sizeof(T) * list.size());
  }
  void write() {
    FactsTableHeader header;
    header.places = static_cast<std::uint32_t>(places_.size());
    header.place_sites = static_cast<std::uint32_t>(place_sites_.size());
    header.sites = static_cast<std::uint32_t>(sites_.size());
    header.partners = static_cast<std::uint32_t>(partners_.size());
    header.reach_places = static_cast<std::uint32_t>(reach_places_.size());
    header.reach_columns = static_cast<std::uint32_t>(columns_.size());
    header.reach_words = static_cast<std::uint32_t>(words_.size());
    header.creations = static_cast<std::uint32_t>(creations_.size());
    header.focus = static_cast<std::uint32_t>(focus_.size());
    header.bytes = facts_bytes(header);
    bytes_.assign(reinterpret_cast<const char*>(&header), sizeof header);
    append(places_);
    append(place_sites_);
    append(sites_);
    append(partners_);
    append(reach_places_);
    append(columns_);
    append(words_);
    append(creations_);
    append(focus_);
  }

 public:
  // Places that the search looks at first, sorted.
  void look_at(std::vector<LocationId> focus) {
    focus_ = std::move(focus);
    write();
  }

 private:
  const toy::Program& program_;
  std::uint64_t gaps_;
  bool locks_;
  std::vector<std::uint32_t> held_;      // beside steps_
  std::vector<const toy::Step*> steps_;  // of the sites
  std::vector<FactPlace> places_;
  std::vector<std::uint32_t> place_sites_;
  std::vector<FactSite> sites_;
  std::vector<FactPartner> partners_;
  std::vector<ReachPlace> reach_places_;
  std::vector<LocationId> columns_;
  std::vector<std::uint32_t> words_;
  std::vector<ReachCreation> creations_;
  std::vector<LocationId> focus_;
  std::string bytes_;
};

}  // namespace ravel::testing

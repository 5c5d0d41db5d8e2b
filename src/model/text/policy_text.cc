// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/policy_text.h"
#include "model/policy_depth.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/policy_depth.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr ClassRow kClasses[] = {
    {"lifecycle", OpClass::kLifecycle, "create, start, end and join of threads"},
    {"plain", OpClass::kPlain, "plain reads and writes that --points made scheduling points"},
    {"atomic", OpClass::kAtomic, "atomic operations and fences"},
    {"sync", OpClass::kSync, "mutexes, condition variables, semaphores, barriers, once, futexes"},
    {"time", OpClass::kTime, "yield and sleep"},
};

constexpr FaultRow kFaults[] = {
    {kFaultNames[0], kFaultSpuriousWakeup, "a condition variable or futex wait may end without a signal"},
    {kFaultNames[1], kFaultWeakCas, "compare_exchange_weak may fail although the values agree"},
    {kFaultNames[2], kFaultTryLock, "a try-lock may fail although the lock is free"},
    {kFaultNames[3], kFaultEagain, "the creation of a thread may fail with EAGAIN"},
    {kFaultNames[4], kFaultEintr, "a blocking call may be interrupted (EINTR)"},
    {kFaultNames[5], kFaultAlloc, "an allocation may fail"},
};

static_assert(std::size(kFaults) == std::size(kFaultNames));

template <class Table>
std::string names_of(const Table& table, std::uint32_t bits, std::string_view separator) {
  std::string text;
  for (const auto& row : table) {
    if constexpr (requires { row.bit; }) {
      if ((bits & row.bit) == 0) continue;
    } else {
      if ((bits & (1u << static_cast<unsigned>(row.cls))) == 0) continue;
    }
    if (!text.empty()) text += separator;
    text += row.name;
  }
  return text;
}

bool read_switch(std::string_view value, PolicySpec& policy) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos || policy.switches == kMaxForcedSwitches) return false;
  const auto decision = number_of<std::uint32_t>(value.substr(0, colon));
  const auto rank = number_of<std::uint32_t>(value.substr(colon + 1));
  if (!decision || !rank) return false;
  policy.forced[policy.switches++] = {*decision, *rank};
  return true;
}

bool read_park_places(std::string_view value, PolicySpec& policy) {
  for (LocationId& place : policy.park_at) {
    const std::size_t colon = value.find(':');
    const auto number = number_of<std::uint32_t>(value.substr(0, colon));
    if (!number || *number == 0) return false;
    place = *number;
    if (colon == std::string_view::npos) return true;
    value.remove_prefix(colon + 1);
  }
  return false;
}

bool read_counts(std::string_view value, PolicySpec& policy) {
  for (std::uint16_t& count : policy.counts) {
    const std::size_t colon = value.find(':');
    const auto number = number_of<std::uint16_t>(value.substr(0, colon));
    if (!number) return false;
    count = *number;
    if (colon == std::string_view::npos) return true;
    value.remove_prefix(colon + 1);
  }
  return false;
}

// READ<WRITE, or READ!WRITE where it is to be avoided.
bool read_reads_from(std::string_view value, PolicySpec& policy) {
  for (ReadsFrom& from : policy.from) {
    if (from.read != 0) continue;
    const std::size_t middle = value.find_first_of("<!");
    if (middle == std::string_view::npos) return false;
    const auto read = number_of<std::uint32_t>(value.substr(0, middle));
    const auto write = number_of<std::uint32_t>(value.substr(middle + 1));
    if (!read || !write || *read == 0) return false;
    from = {*read, *write, value[middle] == '!' ? 1u : 0u};
    return true;
  }
  return false;
}

// SEEDING:PLACES:FREQUENCY:STRENGTH:HALTS
bool read_noise(std::string_view value, PolicySpec& policy) {
  std::string_view words[5];
  for (std::string_view& word : words) {
    const std::size_t colon = value.find(':');
    if ((colon == std::string_view::npos) != (&word == std::end(words) - 1)) return false;
    word = value.substr(0, colon);
    if (colon != std::string_view::npos) value.remove_prefix(colon + 1);
  }
  const auto seeding = index_of(kSeedingNames, words[0]);
  const auto places = index_of(kNoisePlaceNames, words[1]);
  const auto frequency = number_of<std::uint16_t>(words[2]);
  const auto strength = number_of<std::uint16_t>(words[3]);
  const auto halts = number_of<std::uint16_t>(words[4]);
  if (!seeding || !places || !frequency || !strength || !halts || *frequency > kPerMille || *halts > 1) return false;
  policy.noise = {static_cast<NoiseSeeding>(*seeding), static_cast<NoisePlaces>(*places), *frequency, *strength,
                  *halts};
  return true;
}

bool read_parameter(std::string_view key, std::string_view value, PolicySpec& policy) {
  if (key == "switch") return read_switch(value, policy);
  if (key == "at") return read_park_places(value, policy);
  if (key == "counts") return read_counts(value, policy);
  if (key == "from") return read_reads_from(value, policy);
  if (key == "noise") return read_noise(value, policy);
  if (key == "seed") {
    const auto seed = number_of<std::uint64_t>(value);
    if (seed) policy.seed = *seed;
    return seed.has_value();
  }
  if (key == "depth") {
    const auto depth = number_of<std::uint16_t>(value);
    if (depth) policy.depth = *depth;
    return depth.has_value() && *depth > 0;
  }
  if (key == "length") {
    const auto length = number_of<std::uint32_t>(value);
    if (length) policy.length = *length;
    return length.has_value();
  }
  return false;
}

}  // namespace

std::string policy_text(const PolicySpec& policy) {
  std::string text(kPolicyNames[static_cast<std::size_t>(policy.kind)]);
  text += fmt::format(",seed={}", policy.seed);
  const bool together = policy.kind == PolicyKind::kPos && policy.depth == kStartTogether;
  const bool any_order = policy.kind == PolicyKind::kPreempt && policy.depth == kAnyOrder;
  if (policy.kind == PolicyKind::kPeriod || together || any_order) text += fmt::format(",depth={}", policy.depth);
  if (policy.kind == PolicyKind::kPct) text += fmt::format(",depth={},length={}", policy.depth, policy.length);
  for (unsigned i = 0; i < policy.switches && i < kMaxForcedSwitches; ++i) {
    text += fmt::format(",switch={}:{}", policy.forced[i].decision, policy.forced[i].rank);
  }
  for (unsigned i = 0; i < kMaxParkPlaces && policy.park_at[i] != 0; ++i) {
    text += fmt::format("{}{}", i == 0 ? ",at=" : ":", policy.park_at[i]);
  }
  if (policy.kind == PolicyKind::kSurw || policy.kind == PolicyKind::kPeriod) {
    for (unsigned i = 0; i < kMaxCounted; ++i) {
      text += fmt::format("{}{}", i == 0 ? ",counts=" : ":", policy.counts[i]);
    }
  }
  for (unsigned i = 0; i < kMaxReadsFrom && policy.from[i].read != 0; ++i) {
    const ReadsFrom& from = policy.from[i];
    text += fmt::format(",from={}{}{}", from.read, from.avoid != 0 ? '!' : '<', from.write);
  }
  if (policy.kind == PolicyKind::kNoise) {
    const NoiseSpec& noise = policy.noise;
    text += fmt::format(",noise={}:{}:{}:{}:{}", kSeedingNames[static_cast<std::size_t>(noise.seeding)],
                        kNoisePlaceNames[static_cast<std::size_t>(noise.places)], noise.frequency, noise.strength,
                        noise.halts);
  }
  return text;
}

std::optional<PolicySpec> parse_policy(std::string_view text) {
  PolicySpec policy;
  const std::size_t comma = text.find(',');
  const auto kind = index_of(kPolicyNames, text.substr(0, comma));
  if (!kind) return std::nullopt;
  policy.kind = static_cast<PolicyKind>(*kind);
  std::string_view rest = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  if (comma != std::string_view::npos && rest.empty()) return std::nullopt;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    if (!read_parameter(pair.substr(0, equals), pair.substr(equals + 1), policy)) return std::nullopt;
    if (end != std::string_view::npos && end + 1 == rest.size()) return std::nullopt;
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return policy;
}

std::span<const ClassRow> class_table() {
  return kClasses;
}

std::optional<std::uint32_t> class_bit(std::string_view name) {
  for (const ClassRow& row : kClasses) {
    if (row.name == name) return 1u << static_cast<unsigned>(row.cls);
  }
  return std::nullopt;
}

std::string class_names(std::uint32_t bits, std::string_view separator) {
  return names_of(kClasses, bits, separator);
}

std::span<const FaultRow> fault_table() {
  return kFaults;
}

std::optional<std::uint32_t> fault_bit(std::string_view name) {
  for (const FaultRow& row : kFaults) {
    if (row.name == name) return row.bit;
  }
  return std::nullopt;
}

std::string fault_names(std::uint32_t bits, std::string_view separator) {
  return names_of(kFaults, bits, separator);
}

}  // namespace ravel

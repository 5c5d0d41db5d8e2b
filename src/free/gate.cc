// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/gate.h"

#include "free/noise/seedings.h"
#include "free/windows.h"

namespace ravel::fr {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;
constexpr std::uint32_t kOneIn = 20;  // of the injections: a halt, where halts are on

std::atomic<std::uint32_t> delayed{0};  // threads, where one at a time is promised
std::atomic<std::uint32_t> halted{0};

const FreeNoisePlace* listed(const FreeNoise& noise, const FreeThread& self, std::uintptr_t pc) {
  if (noise.listed == 0) return nullptr;
  for (std::uint32_t i = 0, at = free_slot(pc); i < kFreePlaces; ++i, at = (at + 1) % kFreePlaces) {
    const FreeNoisePlace& place = noise.places[at];
    if (place.pc == 0) return nullptr;
    if (place.pc == pc && (place.thread_type == 0 || place.thread_type == self.type)) return &place;
  }
  return nullptr;
}

void count_injection(std::uintptr_t pc) {
  for (std::uint32_t i = 0, at = free_slot(pc); i < kFreePlaces; ++i, at = (at + 1) % kFreePlaces) {
    FreePlaceCount& count = g_block->injected[at];
    std::uint64_t there = count.pc.load(std::memory_order_relaxed);
    if (there == 0 && count.pc.compare_exchange_strong(there, pc, std::memory_order_relaxed)) there = pc;
    if (there != pc) continue;
    count.injected.fetch_add(1, std::memory_order_relaxed);
    return;
  }
}

void seed(NoiseSeeding seeding, std::uint32_t strength) {
  switch (seeding) {
    case NoiseSeeding::kYield:
      return yield_noise(strength);
    case NoiseSeeding::kSleep:
      return sleep_noise(strength);
    case NoiseSeeding::kWait:
      return wait_noise(strength);
    case NoiseSeeding::kBusyWait:
      return busy_wait_noise(strength);
    case NoiseSeeding::kSynchYield:
    case NoiseSeeding::kMixed:
      return synch_yield_noise(strength);
  }
}

// Before the delay: the process may end during it, and because of it.
FreeDelay& note_delay(FreeThread& self, const FreeDelay& delay) {
  const std::uint32_t at = self.delays.load(std::memory_order_relaxed);
  FreeDelay& noted = self.delay_ring[at % kFreeDelays];
  noted = delay;
  self.delays.store(at + 1, std::memory_order_release);
  return noted;
}

void inject(FreeThread& self, const FreeNoise& noise, const FreeNoisePlace* place, std::uintptr_t pc) {
  Random& random = t_state.random;
  NoiseSeeding seeding = noise.seeding;
  if (seeding == NoiseSeeding::kMixed) seeding = static_cast<NoiseSeeding>(random.below(5));
  std::uint32_t strength = noise.strength;
  if (place != nullptr && place->most_us > place->least_us) {
    seeding = NoiseSeeding::kSleep;
    strength = place->least_us + static_cast<std::uint32_t>(random.below(place->most_us - place->least_us));
  }
  const bool halts = noise.halts && random.below(kOneIn) == 0;
  if (noise.one_at_a_time && delayed.exchange(1, std::memory_order_acquire) != 0) return;
  FreeDelay& delay = note_delay(self, {pc, now_ns(), 0, static_cast<std::uint32_t>(seeding), strength});
  count_injection(pc);
  if (halts && halted.exchange(1, std::memory_order_acquire) == 0) {
    delay.seeding = halt_noise(self) ? kFreeHalted : kFreeHaltGivenUp;
    halted.store(0, std::memory_order_release);
  } else {
    seed(seeding, strength);
  }
  delay.end_ns = now_ns();
  if (noise.one_at_a_time) delayed.store(0, std::memory_order_release);
  ++self.moves;
}

}  // namespace

void pass_gate(FreeThread& self, std::uint32_t place_class, std::uintptr_t pc, const PlainAccess* access) {
  if (t_state.ending) return;
  const FreeNoise& noise = g_block->request.noise;
  const FreeNoisePlace* place = place_class != kNoiseAfterSync ? listed(noise, self, pc) : nullptr;
  const std::uint32_t per_million = place != nullptr                     ? place->per_million
                                    : (noise.classes & place_class) != 0 ? noise.per_million
                                                                         : 0;
  if (per_million == 0 || t_state.random.below(kMillion) >= per_million) return;
  const OpenAccess open(self, access);
  const Aside aside;  // a signal may come during the delay
  inject(self, noise, place, pc);
}

}  // namespace ravel::fr

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/entropy.h"

#include <string.h>

#include "base/hash.h"
#include "base/large_table.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {

constexpr std::uint64_t kSeed = 0x72617665'6c736565ull;

// By slot; a slot that was given to another thread starts over.
struct Stream {
  ThreadIndex owner_plus_one = 0;
  std::uint64_t lineage = 0;
  std::uint64_t drawn = 0;
};
RAVEL_LARGE_TABLE Stream streams[kMaxLive];
std::uint64_t drawn_in_all = 0;

std::uint64_t lineage_hash(ThreadIndex thread) {
  std::uint64_t hash = kSeed;
  // From the thread up to main: the order of the ordinals makes the hash, not the order of creation.
  while (thread != 0 && thread < kMaxThreads) {
    const ThreadRecord& record = g.block->threads[thread];
    hash = hash_combine(hash, record.ordinal);
    if (record.parent >= thread) break;
    thread = record.parent;
  }
  return hash;
}

}  // namespace

std::uint64_t next_entropy() {
  const VirtualThread& self = *g.current;
  Stream& stream = streams[self.slot % kMaxLive];
  if (stream.owner_plus_one != self.index + 1) stream = {self.index + 1, lineage_hash(self.index), 0};
  ++drawn_in_all;
  return hash_combine(stream.lineage, ++stream.drawn);
}

std::uint64_t entropy_drawn() {
  return drawn_in_all;
}

void fill_entropy(void* bytes, std::size_t count) {
  auto* at = static_cast<unsigned char*>(bytes);
  while (count > 0) {
    const std::uint64_t word = next_entropy();
    const std::size_t n = count < sizeof word ? count : sizeof word;
    memcpy(at, &word, n);
    at += n;
    count -= n;
  }
}

void replace_kernel_entropy(void* bytes, std::size_t count) {
  auto* at = static_cast<unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<unsigned char>(mix64(kSeed + i));
}

}  // namespace ravel::rt

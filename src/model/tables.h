// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Side tables of a trace: plain records that live in shared memory or in a file. They turn the small numbers in an
// Event into names that last (lineage, symbol, allocation site); symbols themselves are found outside the tested
// process.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel {

// A thread is named by its lineage: parent and "the n-th child of its parent" (from 1).
struct ThreadRecord {
  ThreadIndex parent = kNoThread;
  std::uint32_t ordinal = 0;
  ContextId created_in = 0;  // where pthread_create was called
  LocationId created_at = 0;
  std::uint32_t steps = 0;  // visible operations executed
  char name[20] = {};       // pthread_setname_np, else empty
};
static_assert(sizeof(ThreadRecord) == 40);

enum class ObjectKind : std::uint8_t {
  kUnknown,
  kModule,   // owner: module slot; offset: from the module's base
  kHeap,     // owner: allocating thread, ordinal: its n-th allocation, site: where
  kStack,    // owner: thread; the stack begins at offset `size` and grows downwards
  kTls,      // owner: thread; the thread pointer stands at offset `size`
  kOther,    // mapped memory; ordinal: in order of first use
  kChannel,  // what descriptors and signals go through; ordinal: ChannelOrdinal, then pipes in order of first use
};

enum ChannelOrdinal : std::uint32_t {
  kSocketsChannel = 1,  // all sockets but those of socketpair
  kEventsChannel,       // eventfd, epoll and the like
  kSignalsChannel,      // offset: the thread they are for
  kFirstPipeChannel,
};

struct ObjectRecord {
  ObjectKind kind = ObjectKind::kUnknown;
  std::uint8_t pad[3] = {};
  std::uint32_t owner = 0;
  std::uint32_t ordinal = 0;
  LocationId site = 0;
  ContextId site_context = 0;
  std::uint32_t size = 0;
  std::uint64_t base = 0;  // address in this execution; for display and value decoding only, never part of a name
};
static_assert(sizeof(ObjectRecord) == 32);

// Calling-context tree: the path from a node to the root is a call stack (return addresses as LocationIds).
struct ContextRecord {
  ContextId parent = 0;
  LocationId call = 0;
};
static_assert(sizeof(ContextRecord) == 8);

inline constexpr unsigned kModuleSlotShift = 28;
inline constexpr std::uint32_t kModuleOffsetMask = (1u << kModuleSlotShift) - 1;
inline constexpr unsigned kMaxModules = 16;

struct ModuleRecord {
  std::uint64_t base = 0;
  std::uint64_t end = 0;
  char path[240] = {};
};
static_assert(sizeof(ModuleRecord) == 256);

// Code of the program itself, by offsets from its base.
struct CodeRange {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
};

inline constexpr unsigned module_slot(LocationId location) {
  return location >> kModuleSlotShift;
}
inline constexpr std::uint32_t module_offset(LocationId location) {
  return location & kModuleOffsetMask;
}

}  // namespace ravel

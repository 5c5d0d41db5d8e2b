// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/objects.h"

#include "base/large_table.h"
#include "runtime/fiber/carrier.h"
#include "runtime/fiber/tls.h"
#include "runtime/memory/heap.h"
#include "runtime/platform/pages.h"
#include "runtime/record/library_words.h"
#include "runtime/record/mappings.h"
#include "runtime/record/stack_places.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"

namespace ravel::rt {

RecentObject g_recent_objects[kRecentObjects];
LibraryWords g_library_words;

namespace {

std::uint32_t generation = 0;                      // executions begun in this process
constexpr std::uint64_t kThreadBlockBytes = 4096;  // above the thread pointer: glibc's struct pthread

// Memory that belongs to nothing we know (mapped files, shared memory): one object a megabyte, numbered by first use.
constexpr unsigned kOtherShift = 20;
constexpr unsigned kOtherSlots = 4096;
struct Other {
  std::uintptr_t chunk;
  ObjectId object;
};
RAVEL_LARGE_TABLE Other others[kOtherSlots];
std::uint32_t other_count = 0;
ObjectId library_object = 0;

// Ranges that were unmapped at some time, the latest last; what is there now is an object of its own. The oldest are
// dropped when there are too many: that memory has the object of its megabyte again.
struct Remapped {
  std::uintptr_t begin;
  std::uintptr_t bytes;
  ObjectId object;  // 0: not used since
};
constexpr std::uint32_t kRemapped = 256;
RAVEL_LARGE_TABLE Remapped remapped[kRemapped];
std::uint32_t remapped_count = 0;

// Stack and TLS objects of the thread that lives in a slot now.
struct SlotObjects {
  ThreadIndex thread_plus_one;
  ObjectId stack;
  ObjectId tls;
};
RAVEL_LARGE_TABLE SlotObjects slot_objects[kMaxLive];
std::uint32_t slots_known = 0;  // beyond them all are empty

ObjectId add_object(ObjectKind kind, std::uint32_t owner, std::uint32_t ordinal, std::uintptr_t base,
                    std::uint64_t size) {
  ExecutionResult& result = g.block->result;
  if (result.objects >= kMaxObjects) return 0;
  ObjectRecord& record = g.block->objects[result.objects];
  record = {};
  record.kind = kind;
  record.owner = owner;
  record.ordinal = ordinal;
  record.base = base;
  record.size = size > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(size);
  return result.objects++;
}

// `base` is where the object's offsets begin; [base, base + bytes) must be all its own.
void remember(std::uintptr_t address, std::uintptr_t base, std::uintptr_t bytes, ObjectId object) {
  if (object == 0 || bytes > 0xffffffffu) return;
  recent_object(address) = {base, bytes, object};
}

SlotObjects& objects_of_slot(std::uint32_t slot) {
  SlotObjects& known = slot_objects[slot];
  if (slot >= slots_known) slots_known = slot + 1;
  const ThreadIndex thread = thread_in_slot(slot).index;
  if (known.thread_plus_one != thread + 1) known = {thread + 1, 0, 0};
  return known;
}

Place stack_place(std::uint32_t slot, std::uintptr_t address) {
  SlotObjects& known = objects_of_slot(slot);
  // Relative to the top, so that the name does not depend on how much of the mapping thread-local storage takes.
  const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(stack_top(slot)) - kStackBytes;
  if (known.stack == 0) known.stack = add_object(ObjectKind::kStack, known.thread_plus_one - 1, 0, base, kStackBytes);
  if (names_stack_places()) {
    // Not remembered: each place is looked at.
    note_stack_place(thread_in_slot(slot), address, base, known.stack,
                     reinterpret_cast<std::uintptr_t>(stack_top(slot)));
  } else if (address >= stack_bottom(slot)) {
    remember(address, base, reinterpret_cast<std::uintptr_t>(stack_top(slot)) - base, known.stack);
  }
  return {known.stack, static_cast<std::uint32_t>(address - base)};
}

Place tls_place(std::uint32_t slot, std::uintptr_t address) {
  SlotObjects& known = objects_of_slot(slot);
  const std::uint64_t base = thread_pointer(slot) - tls_bytes();
  if (known.tls == 0) known.tls = add_object(ObjectKind::kTls, known.thread_plus_one - 1, 0, base, tls_bytes());
  return {known.tls, static_cast<std::uint32_t>(address - base)};
}

bool in_tls(std::uint32_t slot, std::uintptr_t address) {
  const std::uint64_t pointer = thread_pointer(slot);
  // Stack and thread-local storage of a carrier are neighbours; main's are not.
  if (slot != 0 && address < reinterpret_cast<std::uintptr_t>(stack_top(slot))) return false;
  return address >= pointer - tls_bytes() && address < pointer + kThreadBlockBytes;
}

Place heap_place(std::uintptr_t address) {
  BlockInfo block;
  if (!find_block(address, block)) return {};
  if (block.slot->generation != generation || block.slot->object == 0) {
    const ObjectId object = add_object(ObjectKind::kHeap, block.thread, block.ordinal, block.base, block.size);
    if (object == 0) return {};
    g.block->objects[object].site = location_of(block.site);
    g.block->objects[object].site_context = block.slot->allocated_context;
    block.slot->object = object;
    block.slot->generation = generation;
  }
  if (block.live) remember(address, block.base, block.size, block.slot->object);
  return {block.slot->object, static_cast<std::uint32_t>(address - block.base)};
}

Place remapped_place(std::uintptr_t address) {
  for (std::uint32_t i = remapped_count; i-- > 0;) {
    Remapped& range = remapped[i];
    if (address - range.begin >= range.bytes) continue;
    if (range.object == 0) range.object = add_object(ObjectKind::kOther, 0, ++other_count, range.begin, range.bytes);
    return {range.object, static_cast<std::uint32_t>(address - range.begin)};
  }
  return {};
}

// Words of ours that stand for state of the C library and the kernel.
bool is_library_word(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(&g_library_words) < sizeof g_library_words;
}

Place library_place(std::uintptr_t address) {
  const auto start = reinterpret_cast<std::uintptr_t>(&g_library_words);
  if (library_object == 0) {
    library_object = add_object(ObjectKind::kOther, kLibraryOwner, ++other_count, start, sizeof g_library_words);
  }
  return {library_object, static_cast<std::uint32_t>(address - start)};
}

Place other_place(std::uintptr_t address) {
  if (__builtin_expect(remapped_count != 0, 0)) {
    const Place place = remapped_place(address);
    if (place.object != 0) return place;
  }
  const std::uintptr_t chunk = address >> kOtherShift;
  const auto offset = static_cast<std::uint32_t>(address & ((std::uintptr_t{1} << kOtherShift) - 1));
  std::uint32_t slot = static_cast<std::uint32_t>(chunk * 0x9e3779b1u) % kOtherSlots;
  for (std::uint32_t probes = 0; probes < kOtherSlots; ++probes) {
    Other& other = others[slot];
    if (other.object != 0 && other.chunk == chunk) return {other.object, offset};
    if (other.object == 0) {
      other.chunk = chunk;
      other.object =
          add_object(ObjectKind::kOther, 0, ++other_count, chunk << kOtherShift, std::uint64_t{1} << kOtherShift);
      return {other.object, offset};
    }
    slot = (slot + 1) % kOtherSlots;
  }
  return {};
}

ObjectId module_objects[kMaxModules];

ObjectId module_object(std::uint32_t slot) {
  if (module_objects[slot] == 0) {
    const ModuleRecord& module = g.block->modules[slot];
    module_objects[slot] = add_object(ObjectKind::kModule, slot, 0, module.base, module.end - module.base);
  }
  return module_objects[slot];
}

constexpr std::uint32_t kMaxChannels = 4096;
RAVEL_LARGE_TABLE ObjectId channels[kMaxChannels];

Place channel_place(std::uintptr_t address) {
  const auto ordinal = static_cast<std::uint32_t>((address - kChannelBase) >> kChannelShift);
  if (ordinal >= kMaxChannels) return {};
  if (channels[ordinal] == 0) channels[ordinal] = add_object(ObjectKind::kChannel, 0, ordinal, address, 0);
  return {channels[ordinal], static_cast<std::uint32_t>(address & ((std::uintptr_t{1} << kChannelShift) - 1))};
}

}  // namespace

void forget_mapping(std::uintptr_t begin, std::uintptr_t bytes) {
  constexpr std::uintptr_t kMost = std::uintptr_t{1} << 32;  // what an offset can hold
  const std::uintptr_t end = page_up(begin + bytes);
  if (begin % kPageBytes != 0 || end - begin == 0 || end - begin > kMost) return;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < remapped_count; ++i) {
    const Remapped& range = remapped[i];
    const bool covered = range.begin >= begin && range.begin + range.bytes <= end;
    if (!covered) remapped[kept++] = range;
  }
  remapped_count = kept;
  if (remapped_count == kRemapped) {
    for (std::uint32_t i = 1; i < kRemapped; ++i) remapped[i - 1] = remapped[i];
    --remapped_count;
  }
  remapped[remapped_count++] = {begin, end - begin, 0};
}

void begin_objects() {
  ExecutionResult& result = g.block->result;
  if (generation++ != 0) {
    if (other_count != 0) zero_bytes(others, sizeof others);
    zero_bytes(slot_objects, slots_known * sizeof(SlotObjects));
    other_count = 0;
    library_object = 0;
    remapped_count = 0;
    slots_known = 0;
  }
  result.objects = 1;  // 0 is "unknown"
  begin_stack_places();
  for (std::uint32_t i = 0; i < linked_modules(); ++i) (void)module_object(i);
}

void forget_recent_objects_of_slot(std::uint32_t slot) {
  // Of a slot that had no thread nothing is known.
  if (slot_objects[slot].thread_plus_one != 0) forget_recent_objects();
}

void remember_block(const BlockInfo& block, std::uintptr_t address) {
  if (block.slot->generation == generation) remember(address, block.base, block.size, block.slot->object);
}

Place look_up_address(std::uintptr_t address) {
  if (in_heap(address)) return heap_place(address);
  const int slot = slot_of_address(address);
  if (slot >= 0) {
    const auto index = static_cast<std::uint32_t>(slot);
    return index != 0 && in_tls(index, address) ? tls_place(index, address) : stack_place(index, address);
  }
  std::uint32_t offset = 0;
  const int module = data_module(address, offset);
  if (module >= 0) {
    const ModuleRecord& record = g.block->modules[module];
    const ObjectId object = module_object(static_cast<std::uint32_t>(module));
    remember(address, record.base, record.end - record.base <= kModuleOffsetMask ? record.end - record.base : 0,
             object);
    return {object, offset};
  }
  if (in_tls(0, address)) return tls_place(0, address);
  if (address >= kChannelBase) return channel_place(address);
  return is_library_word(address) ? library_place(address) : other_place(address);
}

}  // namespace ravel::rt

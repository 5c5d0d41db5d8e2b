// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_objects.h"

#include <algorithm>

#include "model/execution.h"

namespace ravel {
namespace {

std::uint64_t place_in(ObjectId object, std::uint64_t offset) {
  return static_cast<std::uint64_t>(object) << 32 | static_cast<std::uint32_t>(offset);
}

}  // namespace

FreeObjects::FreeObjects(const FreeRecord& run, ExecutionRecord& record) : run_(run), record_(record) {
  record.objects.resize(1);  // 0: none
  if (!run.threads.empty()) add_stack(0);
}

ObjectId FreeObjects::add(const ObjectRecord& object) {
  if (record_.objects.size() >= kMaxObjects - 1) {
    full_ = true;
    return 0;
  }
  record_.objects.push_back(object);
  return static_cast<ObjectId>(record_.objects.size() - 1);
}

// Blocks that it lies over are gone; a stack may contain blocks, if the program gave it one.
void FreeObjects::add_range(std::uint64_t begin, std::uint64_t end, ObjectId object, bool stack) {
  auto first = ranges_.upper_bound(begin);
  if (first != ranges_.begin()) {
    const auto before = std::prev(first);
    if (before->second.end > begin && !(before->second.stack && before->first < begin)) first = before;
  }
  last_ = {};
  while (first != ranges_.end() && first->first < end) first = ranges_.erase(first);
  ranges_[begin] = {end, object, true, stack};
}

std::uint64_t FreeObjects::add_block(const FreeEvent& made, std::uint32_t thread, LocationId site) {
  ObjectRecord object;
  object.kind = ObjectKind::kHeap;
  object.owner = thread;
  object.ordinal = ++blocks_[thread];
  object.site = site;
  object.size = made.value;
  object.base = made.address;
  const ObjectId id = add(object);
  add_range(made.address, made.address + std::max<std::uint64_t>(made.value, 1), id, false);
  return place_in(id, 0);
}

std::uint64_t FreeObjects::block_at(std::uint64_t address) const {
  const auto found = ranges_.find(address);
  if (found == ranges_.end() || !found->second.live || found->second.stack) return 0;
  return place_in(found->second.object, 0);
}

void FreeObjects::free_block(std::uint64_t address) {
  const auto found = ranges_.find(address);
  if (found != ranges_.end()) found->second.live = false;
}

void FreeObjects::add_stack(std::uint32_t thread) {
  const FreeThreadRecord& one = run_.threads[thread];
  if (one.stack_high <= one.stack_low || one.stack_high - one.stack_low > kModuleOffsetMask * 8ull) return;
  const auto same = ranges_.find(one.stack_low);
  if (same != ranges_.end() && same->second.stack && record_.objects[same->second.object].owner == thread) return;
  ObjectRecord object;
  object.kind = ObjectKind::kStack;
  object.owner = thread;
  object.size = static_cast<std::uint32_t>(one.stack_high - one.stack_low);
  object.base = one.stack_low;
  add_range(one.stack_low, one.stack_high, add(object), true);
}

std::uint64_t FreeObjects::place(std::uint64_t address) {
  if (address - last_.begin < last_.size) return place_in(last_.object, address - last_.base);
  const auto behind = ranges_.upper_bound(address);
  std::uint64_t free_from = 0;
  if (behind != ranges_.begin()) {
    const auto& [begin, range] = *std::prev(behind);
    if (address < range.end) {
      last_ = {begin, range.end - begin, begin, range.object};
      return place_in(range.object, address - begin);
    }
    free_from = range.end;
  }
  for (std::size_t slot = 0; slot < run_.modules.size(); ++slot) {
    const ModuleRecord& module = run_.modules[slot];
    if (address < module.base || address >= module.end || address - module.base > kModuleOffsetMask) continue;
    const auto [known, fresh] = modules_.try_emplace(slot);
    if (fresh) {
      ObjectRecord object;
      object.kind = ObjectKind::kModule;
      object.owner = static_cast<std::uint32_t>(slot);
      object.base = module.base;
      known->second = add(object);
    }
    const std::uint64_t begin = std::max(module.base, free_from);
    const std::uint64_t end = behind != ranges_.end() ? std::min(module.end, behind->first) : module.end;
    last_ = {begin, end - begin, module.base, known->second};
    return place_in(known->second, address - module.base);
  }
  const auto [known, fresh] = regions_.try_emplace(address >> 32);
  if (fresh) {
    ObjectRecord object;
    object.kind = ObjectKind::kOther;
    object.ordinal = static_cast<std::uint32_t>(regions_.size());
    object.base = address >> 32 << 32;
    known->second = add(object);
  }
  return place_in(known->second, address);
}

}  // namespace ravel

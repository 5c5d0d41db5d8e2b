// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/memory_objects.h"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace ravel {
namespace {

constexpr std::size_t kMostListed = 64;  // places
constexpr std::int64_t kSlot = 8;        // of a table of virtual functions: nothing points between two
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max() / 4;

struct Member {
  llvm::Type* type = nullptr;  // null: there is none
  std::int64_t start = 0;
};
Member member_at(const llvm::DataLayout& layout, llvm::StructType* record, std::int64_t offset) {
  if (record->isOpaque() || record->getNumElements() == 0) return {};
  const auto* fields = layout.getStructLayout(record);
  if (offset < 0 || offset >= static_cast<std::int64_t>(fields->getSizeInBytes())) return {};
  const unsigned field = fields->getElementContainingOffset(static_cast<std::uint64_t>(offset));
  return {record->getElementType(field), static_cast<std::int64_t>(fields->getElementOffset(field))};
}

}  // namespace

MemoryId MemoryObjects::add(MemoryObject object) {
  objects_.push_back(std::move(object));
  return static_cast<MemoryId>(objects_.size() - 1);
}

MemoryObject::Region MemoryObjects::typed_array(const MemoryObject& object, std::int64_t offset, bool bytes) const {
  MemoryObject::Region found{0, 0, 0};
  llvm::Type* type = object.type;
  std::int64_t start = 0;
  while (type != nullptr) {
    const std::int64_t inside = offset - start;
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
      const Member member = member_at(*layout_, record, inside);
      if (member.type == nullptr) break;
      start += member.start;
      type = member.type;
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      llvm::Type* element = array->getElementType();
      const auto size = static_cast<std::int64_t>(layout_->getTypeAllocSize(element).getFixedSize());
      const bool is_bytes = element->isIntegerTy(8);
      if (size == 0 || is_bytes != bytes) {
        if (size == 0 || is_bytes) break;
      } else {
        found = {start, start + size * static_cast<std::int64_t>(array->getNumElements()), size};
        if (is_bytes) break;
      }
      start += inside - inside % size;
      type = element;
    } else {
      break;
    }
  }
  return found;
}

std::int64_t MemoryObjects::by_type(const MemoryObject& object, std::int64_t offset) const {
  // Outermost array first: what stands inside an element is normalised in turn.
  llvm::Type* type = object.type;
  std::int64_t start = 0;
  while (type != nullptr) {
    const std::int64_t inside = offset - start;
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
      const Member member = member_at(*layout_, record, inside);
      if (member.type == nullptr) break;
      start += member.start;
      type = member.type;
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const auto size = static_cast<std::int64_t>(layout_->getTypeAllocSize(array->getElementType()).getFixedSize());
      if (size == 0 || array->getElementType()->isIntegerTy(8)) break;  // raw storage
      offset = start + inside % size;
      type = array->getElementType();
    } else {
      break;
    }
  }
  return offset;
}

std::int64_t MemoryObjects::normal_offset(MemoryId id, std::int64_t offset) const {
  const MemoryObject& object = objects_[id];
  if (offset < 0) return -1;
  for (const MemoryObject::Region& region : object.regions) {
    if (offset >= region.begin && offset < region.end) offset = region.begin + (offset - region.begin) % region.stride;
  }
  if (object.size != 0 && offset >= static_cast<std::int64_t>(object.size)) return -1;
  if (object.blank) return 0;
  if (object.exact) return offset % kSlot == 0 ? offset : -1;
  return by_type(object, offset);
}

CellId MemoryObjects::find_cell(MemoryId id, std::int64_t normal) const {
  const auto found = objects_[id].cells.find(normal);
  return found == objects_[id].cells.end() ? kNoCell : found->second;
}

void MemoryObjects::set_cell(MemoryId id, std::int64_t normal, CellId cell) {
  objects_[id].cells[normal] = cell;
}

std::int64_t MemoryObjects::stride_at(MemoryId id, std::int64_t offset) const {
  const MemoryObject& object = objects_[id];
  for (const MemoryObject::Region& region : object.regions) {
    if (offset >= region.begin && offset < region.end) return region.stride;
  }
  return typed_array(object, offset, false).stride;
}

// The other way round than `by_type`.
Places MemoryObjects::places_by_type(const MemoryObject& object, std::int64_t normal) const {
  Places places{{normal}, 0};
  llvm::Type* type = object.type;
  std::int64_t start = 0;
  while (type != nullptr) {
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
      const Member member = member_at(*layout_, record, normal - start);
      if (member.type == nullptr) break;
      start += member.start;
      type = member.type;
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      type = array->getElementType();
      const auto size = static_cast<std::int64_t>(layout_->getTypeAllocSize(type).getFixedSize());
      if (size == 0 || type->isIntegerTy(8)) break;
      if (places.stride != 0 || places.at.size() * array->getNumElements() > kMostListed) {
        places = {{normal}, std::gcd(places.stride, size)};
        continue;
      }
      const std::vector<std::int64_t> outer = std::move(places.at);
      places.at.clear();
      for (const std::int64_t first : outer) {
        for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
          places.at.push_back(first + static_cast<std::int64_t>(i) * size);
        }
      }
    } else {
      break;
    }
  }
  return places;
}

Places MemoryObjects::places_of(MemoryId id, std::int64_t normal) const {
  const MemoryObject& object = objects_[id];
  if (object.exact || object.blank || !in_array(id, normal)) return {{normal}, 0};
  Places places = places_by_type(object, normal);
  for (const MemoryObject::Region& region : object.regions) {
    if (normal < region.begin || normal >= region.end) continue;
    const std::int64_t end =
        object.size == 0 ? region.end : std::min(region.end, static_cast<std::int64_t>(object.size));
    const auto elements = static_cast<std::size_t>((end - normal) / region.stride + 1);
    if (places.stride != 0 || elements > kMostListed || places.at.size() * elements > kMostListed) {
      return {{normal}, std::gcd(places.stride, region.stride)};
    }
    std::vector<std::int64_t> all;
    for (const std::int64_t first : places.at) {
      for (std::int64_t at = first; at < end; at += region.stride) all.push_back(at);
    }
    std::sort(all.begin(), all.end());
    return {std::move(all), 0};
  }
  return places;
}

std::vector<std::pair<CellId, CellId>> MemoryObjects::make_array(MemoryId id, std::int64_t offset,
                                                                 std::int64_t stride) {
  MemoryObject& object = objects_[id];
  if (object.exact || object.blank || stride <= 0 || offset < 0) return {};
  if (object.size != 0 && static_cast<std::int64_t>(object.size) <= stride) return {};  // room for one element
  const MemoryObject::Region typed = typed_array(object, offset, false);
  if (typed.stride != 0 && stride % typed.stride == 0) return {};
  const MemoryObject::Region bytes = typed_array(object, offset, true);
  MemoryObject::Region region{offset, kEndless, stride};
  if (bytes.stride != 0) region = {bytes.begin, bytes.end, stride};
  for (bool again = true; again;) {
    again = false;
    for (auto other = object.regions.begin(); other != object.regions.end(); ++other) {
      if (other->begin >= region.end || region.begin >= other->end) continue;
      if (other->begin <= region.begin && other->end >= region.end && region.stride % other->stride == 0 &&
          (region.begin - other->begin) % other->stride == 0) {
        return {};
      }
      region.stride = std::gcd(std::gcd(region.stride, other->stride), std::abs(region.begin - other->begin));
      region.begin = std::min(region.begin, other->begin);
      region.end = std::max(region.end, other->end);
      object.regions.erase(other);
      again = true;
      break;
    }
  }
  if (region.stride == 0) region.stride = 1;
  object.regions.push_back(region);
  ++object.arrays;
  std::vector<std::pair<CellId, CellId>> merged;
  std::map<std::int64_t, CellId> cells;
  for (const auto& [old, cell] : object.cells) {
    const std::int64_t normal = std::max<std::int64_t>(normal_offset(id, old), 0);
    const auto [kept, fresh] = cells.emplace(normal, cell);
    if (!fresh) merged.emplace_back(kept->second, cell);
  }
  object.cells = std::move(cells);
  return merged;
}

}  // namespace ravel
